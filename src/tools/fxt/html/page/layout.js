// Where each track stands: blocks from top to bottom, in CSS pixels, without any drawing.
import {rowOf} from './data.js';

export const GUTTER = 220;
export const ROW = 18;
const INSTANTS = 12;
const COUNTER = 44;
const GROUP_ROW = 26;
const PADDING = 3;

function trackBlock(track, top) {
  const lanes = [];
  let y = top + PADDING;
  if (track.instants.end > track.instants.begin) {
    lanes.push({kind: 'instants', y, height: INSTANTS, ...track.instants, track});
    y += INSTANTS;
  }
  track.rows.forEach((row, depth) => {
    if (depth > 0 && track.folded) return;
    lanes.push({kind: 'slices', y, height: ROW, begin: row.begin, end: row.end, depth, track});
    y += ROW;
  });
  const height = Math.max(y - top, ROW) + PADDING;
  return {kind: 'track', track, group: track.group, y: top, height, lanes};
}

export const ownerOf = (block) => block.track ?? block.counter ?? block.group;

function counterBlock(counter, group, top) {
  const lane = {kind: 'counter', y: top + PADDING, height: COUNTER - 2 * PADDING, counter};
  return {kind: 'counter', counter, group, y: top, height: COUNTER, lanes: [lane]};
}

export function arrange(trace) {
  const blocks = [];
  const owners = new Map(); // the blocks of tracks and groups
  let y = 0;
  const add = (block) => {
    blocks.push(block);
    owners.set(ownerOf(block), block);
    y += block.height;
  };
  for (const group of trace.groups) {
    add({kind: 'group', group, y, height: GROUP_ROW, lanes: []});
    if (group.folded) continue;
    for (const counter of group.counters) add(counterBlock(counter, group, y));
    for (const track of group.tracks) add(trackBlock(track, y));
  }
  return {blocks, owners, height: y};
}

// The first block that ends below y; blocks.length if none does.
export function blockAt(layout, y) {
  let low = 0;
  let high = layout.blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const block = layout.blocks[middle];
    if (block.y + block.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function laneAt(block, y) {
  return block.lanes.find((lane) => y >= lane.y && y < lane.y + lane.height) ?? null;
}

// {y, height} of a slice; of its group or track if that is folded.
export function placeOf(trace, layout, slice) {
  const {track, depth} = rowOf(trace, slice);
  if (track.group.folded) return layout.owners.get(track.group);
  const block = layout.owners.get(track);
  return block.lanes.find((lane) => lane.depth === depth) ?? block;
}
