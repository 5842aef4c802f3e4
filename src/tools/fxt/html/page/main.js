// The page: its state, and what each key, button and gesture does.
import {Palette} from './color.js';
import {readTrace, rowOf, unpack} from './data.js';
import {element} from './dom.js';
import {chainsOf, flowNeighbour} from './flows.js';
import {Input} from './input.js';
import {arrange, blockAt, GUTTER, ownerOf, placeOf} from './layout.js';
import {Painter} from './paint.js';
import {Panel} from './panel.js';
import {joinTraces} from './pair.js';
import {neighbour, pick} from './pick.js';
import {Search} from './search.js';
import {count, duration, exact, numberText, spanText} from './time.js';
import {around, clamp, pan, whole, zoom} from './view.js';

class App {
  constructor(trace) {
    const byId = (id) => document.getElementById(id);
    this.elements = Object.fromEntries(
      [
        'file',
        'facts',
        'find',
        'query',
        'hits',
        'previous',
        'next',
        'fit',
        'theme',
        'help',
        'map',
        'ruler',
        'scroll',
        'tracks',
        'spacer',
        'bar',
        'panel',
        'tabs',
        'scope',
        'body',
        'keys',
        'tip',
        'live',
      ].map((id) => [id, byId(id)]),
    );
    this.state = {
      trace,
      view: whole(trace.span),
      layout: arrange(trace),
      selection: null,
      chains: [],
      hits: [],
      palette: null,
    };
    this.trace = trace;
    this.search = new Search(trace);
    this.painter = new Painter(this.state, this.elements);
    this.panel = new Panel(this.state, this.elements, {
      select: (kind, item) => this.select({kind, item}, true),
      find: (name) => this.find(name),
    });
    this.frames = 0;
    this.start();
  }

  start() {
    const {elements, trace} = this;
    document.title = trace.file;
    elements.file.textContent = trace.file;
    elements.file.title = trace.file;
    elements.facts.textContent =
      `${spanText(trace)} · ${count(trace.slices.count)} slices` +
      (trace.notes.length > 0
        ? ` · ${trace.notes.length} note${trace.notes.length > 1 ? 's' : ''}`
        : '');
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) =>
      this.setTheme(event.matches),
    );
    this.listen();
    this.input = new Input(this);
    this.openHash();
    this.panel.show();
    this.layOut();
  }

  listen() {
    const {elements} = this;
    elements.theme.addEventListener('click', () => this.setTheme(!this.state.dark));
    elements.fit.addEventListener('click', () => this.fit());
    elements.help.addEventListener('click', () => this.toggleKeys());
    elements.keys.addEventListener('close', () =>
      elements.help.setAttribute('aria-expanded', 'false'),
    );
    elements.next.addEventListener('click', () => this.step(1));
    elements.previous.addEventListener('click', () => this.step(-1));
    elements.query.addEventListener('input', () => this.setQuery(elements.query.value));
    elements.find.addEventListener('submit', (event) => event.preventDefault());
    elements.query.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.step(event.shiftKey ? -1 : 1);
    });
    addEventListener('hashchange', () => this.openHash());
    new ResizeObserver(() => this.layOut()).observe(elements.scroll);
  }

  // ---- drawing

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.frames++;
      this.painter.draw();
    });
  }

  layOut() {
    const {scroll, spacer} = this.elements;
    this.state.layout = arrange(this.trace);
    this.placeRange();
    spacer.style.height = `${Math.max(0, this.state.layout.height - scroll.clientHeight)}px`;
    this.panel.flame?.draw();
    this.redraw();
  }

  setTheme(dark) {
    this.state.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    this.colour();
    this.panel.show();
  }

  colour() {
    this.state.palette = new Palette(this.trace.names, this.state.dark, this.search.isHit);
    this.redraw();
  }

  say(text) {
    this.elements.live.textContent = text;
  }

  // ---- the window

  setView(view) {
    this.state.view = view;
    this.redraw();
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.settle(), 300);
  }

  // Once the window stands still: what depends on it and is not cheap.
  settle() {
    const {selection} = this.state;
    if (selection?.kind !== 'range' && (this.panel.tab === 'names' || this.panel.tab === 'flame'))
      this.panel.show();
    this.writeHash();
  }

  zoom(x, factor) {
    const time = this.painter.timeAt(Math.max(GUTTER, x || GUTTER + this.painter.plotWidth / 2));
    this.setView(zoom(this.state.view, time, factor, this.trace.span));
  }

  pan(share) {
    this.setView(pan(this.state.view, share, this.trace.span));
  }

  centre(x) {
    const {view} = this.state;
    const half = (view.end - view.begin) / 2;
    const time = this.painter.mapTime(x);
    this.setView(clamp({begin: time - half, end: time + half}, this.trace.span));
  }

  // The selection, or the whole trace if the selection fills the window already.
  fit() {
    const {selection, view} = this.state;
    const {time, duration: lengths} = this.trace.slices;
    let target = whole(this.trace.span);
    if (selection?.kind === 'range')
      target = around(selection.begin, selection.end, this.trace.span);
    if (selection?.kind === 'slice')
      target = around(
        time[selection.item],
        time[selection.item] + lengths[selection.item],
        this.trace.span,
      );
    const same =
      Math.abs(target.begin - view.begin) + Math.abs(target.end - view.end) <
      (view.end - view.begin) / 1e6;
    this.setView(same ? whole(this.trace.span) : target);
  }

  // The window and the selected slice are in the address, so that it can be kept. Browsers throw
  // if it changes often: only what stays for a while is written.
  writeHash() {
    const {view, selection} = this.state;
    const parts = [view.begin, view.end].map((time) => Math.round(time));
    if (selection?.kind === 'slice') parts.push(selection.item);
    this.hash = `#${parts.join(',')}`;
    history.replaceState(null, '', this.hash);
  }

  openHash() {
    if (location.hash === this.hash) return;
    const [begin, end, slice] = location.hash.slice(1).split(',').map(Number);
    if (!(end > begin)) return;
    this.setView(clamp({begin, end}, this.trace.span));
    if (slice >= 0 && slice < this.trace.slices.count)
      this.select({kind: 'slice', item: Math.floor(slice)});
  }

  // ---- the selection

  select(selection, reveal = false) {
    this.state.selection = selection;
    this.state.chains = selection?.kind === 'slice' ? chainsOf(this.trace, selection.item) : [];
    if (selection?.kind === 'slice') this.saySlice(selection.item);
    if (reveal && selection?.kind === 'slice') this.reveal(selection.item);
    if (this.panel.tab === 'names' && selection?.kind === 'slice') this.panel.tab = 'details';
    this.panel.show();
    this.redraw();
    clearTimeout(this.written);
    this.written = setTimeout(() => this.writeHash(), 300);
  }

  saySlice(item) {
    const {name, duration: lengths, time} = this.trace.slices;
    const {track} = rowOf(this.trace, item);
    this.say(
      `${this.trace.names[name[item]]}, ${duration(lengths[item])}, ` +
        `at ${exact(time[item])}, ${track.name}`,
    );
  }

  // Brings a slice into view: unfolds its track, scrolls, and moves the window.
  reveal(item) {
    const {time, duration: lengths} = this.trace.slices;
    const {track} = rowOf(this.trace, item);
    const {scroll} = this.elements;
    if (track.folded || track.group.folded) {
      track.folded = track.group.folded = false;
      this.layOut();
    }
    const place = this.placeOf(item);
    if (
      place.y < scroll.scrollTop ||
      place.y + place.height > scroll.scrollTop + scroll.clientHeight
    )
      scroll.scrollTop = place.y - scroll.clientHeight / 2;
    this.revealTime(time[item], time[item] + lengths[item]);
  }

  revealTime(begin, end) {
    const {view} = this.state;
    const size = view.end - view.begin;
    const pixels = ((end - begin) / size) * this.painter.plotWidth;
    if (pixels < 3)
      return this.setView(
        around(begin - (end - begin) * 20, end + (end - begin) * 20, this.trace.span),
      );
    if (end - begin > size) return this.setView(around(begin, end, this.trace.span));
    if (begin >= view.begin && end <= view.end) return;
    const middle = (begin + end) / 2;
    this.setView(clamp({begin: middle - size / 2, end: middle + size / 2}, this.trace.span));
  }

  // What is in reach of the pointer.
  under(event) {
    const {scroll} = this.elements;
    const time = this.painter.timeAt(event.offsetX);
    const reach = Math.abs(this.painter.timeAt(event.offsetX + 2) - time);
    if (event.offsetX < GUTTER) return null;
    return pick(this.trace, this.state.layout, event.offsetY + scroll.scrollTop, time, reach);
  }

  click(event) {
    const block =
      this.state.layout.blocks[
        blockAt(this.state.layout, event.offsetY + this.elements.scroll.scrollTop)
      ];
    const found = this.under(event);
    if (block && (block.kind === 'group' || (event.offsetX < GUTTER && block.track)))
      this.fold(block);
    else
      this.select(found && found.kind !== 'sample' ? {kind: found.kind, item: found.item} : null);
  }

  // Not on a name, where clicks fold.
  fitAt(event) {
    const {layout} = this.state;
    const block = layout.blocks[blockAt(layout, event.offsetY + this.elements.scroll.scrollTop)];
    if (event.offsetX >= GUTTER && block?.kind !== 'group') this.fit();
  }

  placeOf(item) {
    return placeOf(this.trace, this.state.layout, item);
  }

  foldSelected() {
    const {selection, layout} = this.state;
    if (selection?.kind !== 'slice') return;
    const {track} = rowOf(this.trace, selection.item);
    this.fold(layout.owners.get(track) ?? layout.owners.get(track.group));
  }

  fold(block) {
    const target = block.kind === 'group' ? block.group : block.track;
    target.folded = !target.folded;
    this.layOut();
    this.say(`${target.name} ${target.folded ? 'folded' : 'unfolded'}`);
  }

  hover(event) {
    const {tip} = this.elements;
    const text = event && event.buttons === 0 ? this.tipText(event) : null;
    tip.hidden = text === null;
    if (!text) return;
    tip.replaceChildren(...text);
    const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const y =
      event.clientY + 18 + tip.offsetHeight > innerHeight
        ? event.clientY - tip.offsetHeight - 8
        : event.clientY + 18;
    tip.style.left = `${x}px`;
    tip.style.top = `${y}px`;
  }

  // What is under the pointer; on the left, the whole name of a track.
  tipText(event) {
    const {slices, instants, samples, names} = this.trace;
    const {layout} = this.state;
    const bold = (text) => element('strong', {}, text.slice(0, 300) || '(no name)');
    const owner = layout.blocks[blockAt(layout, event.offsetY + this.elements.scroll.scrollTop)];
    if (event.offsetX < GUTTER)
      return owner ? [bold(ownerOf(owner).name)] : null;
    const found = this.under(event);
    if (!found) return null;
    const {kind, item, block} = found;
    if (kind === 'slice')
      return [bold(names[slices.name[item]]), ` ${duration(slices.duration[item])}`];
    if (kind === 'instant')
      return [bold(names[instants.name[item]]), ` at ${exact(instants.time[item])}`];
    return [bold(block.counter.name), ` ${numberText(samples.value[item])}`];
  }

  // ---- ranges

  // From a drag: x in pixels; y in pixels, or null for all tracks.
  selectRange(x0, x1, y0, y1) {
    const {scrollTop} = this.elements.scroll;
    const {layout} = this.state;
    const [begin, end] = [x0, x1]
      .map((x) => this.painter.timeAt(Math.max(GUTTER, x)))
      .sort((a, b) => a - b);
    const [low, high] =
      y0 === null ? [0, layout.height] : [y0 + scrollTop, y1 + scrollTop].sort((a, b) => a - b);
    this.selectTimes(
      begin,
      end,
      layout.blocks.slice(blockAt(layout, low), blockAt(layout, high) + 1),
    );
  }

  // Times in ns; what is beside the trace is cut off.
  selectTimes(begin, end, blocks) {
    const limit = (time) => Math.min(this.trace.span, Math.max(0, time));
    if (blocks.length === 0) return;
    this.state.selection = {
      kind: 'range',
      begin: limit(begin),
      end: limit(end),
      first: ownerOf(blocks[0]),
      last: ownerOf(blocks.at(-1)),
      ...this.contents(blocks),
    };
    this.placeRange();
    this.state.chains = [];
    this.redraw();
  }

  // Its rectangle in the layout, which changes when something folds.
  placeRange() {
    const {selection, layout} = this.state;
    if (selection?.kind !== 'range') return;
    const blockOf = (owner) => layout.owners.get(owner) ?? layout.owners.get(owner.group);
    const last = blockOf(selection.last);
    selection.top = blockOf(selection.first).y;
    selection.bottom = last.y + last.height;
  }

  // Rows and counters of blocks; a folded process stands for all that it has.
  contents(blocks) {
    const tracks = new Set();
    const counters = new Set();
    for (const block of blocks) {
      if (block.kind === 'track') tracks.add(block.track);
      if (block.kind === 'counter') counters.add(block.counter);
      if (block.kind === 'group' && (block.group.folded || blocks.length === 1)) {
        for (const track of block.group.tracks) tracks.add(track);
        for (const counter of block.group.counters) counters.add(counter);
      }
    }
    return {rows: this.trace.rows.filter((row) => tracks.has(row.track)), counters: [...counters]};
  }

  // The time of the selected slice, else the window, over all tracks.
  selectAround() {
    const {selection, view} = this.state;
    const {time, duration: lengths} = this.trace.slices;
    const from = selection?.kind === 'slice' ? time[selection.item] : view.begin;
    const to = selection?.kind === 'slice' ? from + lengths[selection.item] : view.end;
    this.selectTimes(from, to, this.state.layout.blocks);
    this.rangeDone();
  }

  rangeDone() {
    const {selection} = this.state;
    if (selection?.kind !== 'range') return;
    if (this.panel.tab !== 'flame') this.panel.tab = 'names';
    this.panel.show();
    this.say(`${duration(selection.end - selection.begin)} selected, table by name below`);
  }

  // ---- keys

  arrow(direction) {
    const {selection} = this.state;
    if (selection?.kind !== 'slice') return this.selectFirst();
    const next = neighbour(this.trace, selection.item, direction);
    if (next >= 0) this.select({kind: 'slice', item: next}, true);
  }

  // The first slice in view.
  selectFirst() {
    const {view, layout} = this.state;
    for (const block of layout.blocks.slice(blockAt(layout, this.elements.scroll.scrollTop))) {
      for (const lane of block.lanes) {
        if (lane.kind !== 'slices') continue;
        const found = this.trace.slices.time
          .subarray(lane.begin, lane.end)
          .findIndex((time) => time >= view.begin);
        if (found >= 0) return this.select({kind: 'slice', item: lane.begin + found}, true);
      }
    }
  }

  follow(direction) {
    const {selection} = this.state;
    const next =
      selection?.kind === 'slice' ? flowNeighbour(this.trace, selection.item, direction) : -1;
    if (next >= 0) this.select({kind: 'slice', item: next}, true);
    else this.say('No flow goes there');
  }

  escape() {
    if (this.elements.keys.open) return;
    if (this.search.query !== '') return this.find('');
    this.elements.tracks.focus();
    this.select(null);
  }

  toggleKeys() {
    const {keys, help} = this.elements;
    keys.showModal();
    help.setAttribute('aria-expanded', 'true');
  }

  resizePanel(height) {
    const {panel} = this.elements;
    panel.style.height = `${Math.max(60, Math.min(innerHeight - 240, height))}px`;
  }

  // ---- search

  focusSearch() {
    this.elements.query.focus();
    this.elements.query.select();
  }

  find(name) {
    this.elements.query.value = name;
    this.setQuery(name);
  }

  setQuery(query) {
    this.search.find(query);
    this.state.hits = this.search.hits;
    this.tellHits();
    this.colour();
  }

  tellHits() {
    const {hits, at, query} = this.search;
    const place = at >= 0 ? `${count(at + 1)} of ` : '';
    this.elements.hits.textContent =
      query === '' ? '' : hits.length === 0 ? 'no hits' : `${place}${count(hits.length)}`;
  }

  step(direction) {
    const slice = this.search.step(direction, this.state.view.begin);
    this.tellHits();
    if (slice >= 0) this.select({kind: 'slice', item: slice}, true);
  }
}

async function open() {
  const status = document.getElementById('status');
  try {
    if (typeof DecompressionStream === 'undefined')
      throw new Error('this browser is too old: it has no DecompressionStream (2023)');
    const read = async (which) => readTrace(await unpack(document.querySelectorAll(which)));
    let trace = await read('script.data:not(.new)');
    if (document.querySelector('script.new')) trace = joinTraces(trace, await read('script.new'));
    globalThis.app = new App(trace); // for the console, and for tests
    status.remove();
  } catch (error) {
    status.textContent = `The trace cannot be shown: ${error.message}`;
    throw error;
  }
}

open();
