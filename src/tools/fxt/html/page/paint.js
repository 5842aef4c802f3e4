// The timeline: one canvas for the part of the tracks that is in view, one for the ruler and one
// for the overview. Rows of slices are made as lines of pixels, one a row, and stretched to the
// height of the row, so that no frame draws one rectangle a slice.
import {ASYNC} from './data.js';
import {blockAt, GUTTER, placeOf} from './layout.js';
import {eachInstant, eachPixel, heightOf, paintRow, rangeOf} from './rows.js';
import {duration, niceStep, numberText, tick} from './time.js';

const TEXT_FROM = 28; // CSS pixels of a slice that shows its name
const TEXTS_MAX = 4000;
const ARROWS_MAX = 500;
const FONT = '11px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
const BOLD = `600 ${FONT}`;

// Makes the canvas as large as it is shown, in pixels of the screen.
function fitCanvas(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  context.font = FONT;
  return context;
}

// As much of a text as fits in so many pixels.
function fitText(context, text, room) {
  const whole = text.slice(0, 400);
  const width = context.measureText(whole).width;
  if (width <= room) return whole;
  for (let letters = Math.floor((whole.length * room) / width); letters > 0; letters--) {
    const part = `${whole.slice(0, letters)}…`;
    if (context.measureText(part).width <= room) return part;
  }
  return '';
}

export class Painter {
  constructor(state, elements) {
    this.state = state;
    this.elements = elements;
    this.strip = document.createElement('canvas'); // a line of pixels for each row in view
    this.counts = {painted: 0, rows: 0, texts: 0, arrows: 0};
  }

  get plotWidth() {
    return Math.max(1, this.elements.scroll.clientWidth - GUTTER);
  }

  xOf(time) {
    const {view} = this.state;
    return GUTTER + ((time - view.begin) / (view.end - view.begin)) * this.plotWidth;
  }

  timeAt(x) {
    const {view} = this.state;
    return view.begin + ((x - GUTTER) / this.plotWidth) * (view.end - view.begin);
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    this.color = (name) => style.getPropertyValue(`--${name}`);
    this.drawTracks();
    this.drawRuler();
    this.drawMap();
  }

  // ---- tracks

  visible(height) {
    const {layout} = this.state;
    const top = this.elements.scroll.scrollTop;
    const blocks = [];
    for (let i = blockAt(layout, top); i < layout.blocks.length; i++) {
      if (layout.blocks[i].y >= top + height) break;
      blocks.push(layout.blocks[i]);
    }
    return blocks;
  }

  drawTracks() {
    const {scroll, tracks} = this.elements;
    const [width, height] = [scroll.clientWidth, scroll.clientHeight];
    const context = fitCanvas(tracks, width, height);
    const blocks = this.visible(height);
    this.counts = {painted: 0, rows: 0, texts: 0, arrows: 0};
    context.save();
    context.translate(0, -scroll.scrollTop);
    this.drawGrounds(context, blocks, width);
    context.save();
    context.beginPath();
    context.rect(GUTTER, scroll.scrollTop, this.plotWidth, height);
    context.clip();
    if (blocks.length > 0) this.drawGrid(context, scroll.scrollTop, height);
    if (this.state.selection?.kind === 'range') this.drawRange(context, this.state.selection);
    this.drawSlices(context, blocks);
    for (const block of blocks) {
      for (const lane of block.lanes) {
        if (lane.kind === 'instants') this.drawInstants(context, lane);
        if (lane.kind === 'counter') this.drawCounter(context, lane);
      }
    }
    this.drawSelection(context, scroll.scrollTop, height);
    context.restore();
    this.drawLabels(context, blocks, scroll.scrollTop);
    context.restore();
    if (blocks.length === 0) this.drawEmpty(context, width, height);
  }

  drawGrounds(context, blocks, width) {
    for (const block of blocks) {
      if (block.kind === 'group') {
        context.fillStyle = this.color('group');
        context.fillRect(0, block.y, width, block.height);
      }
      context.fillStyle = this.color('line');
      context.fillRect(0, block.y + block.height - 1, width, 1);
    }
  }

  drawGrid(context, top, height) {
    context.fillStyle = this.color('line');
    for (const time of this.ticks()) context.fillRect(Math.round(this.xOf(time)), top, 1, height);
  }

  drawSlices(context, blocks) {
    const {trace, view, palette} = this.state;
    const lanes = blocks.flatMap((block) => block.lanes).filter((lane) => lane.kind === 'slices');
    const ratio = this.elements.tracks.width / this.elements.scroll.clientWidth;
    const width = Math.max(1, Math.round(this.plotWidth * ratio));
    const texts = [];
    if (lanes.length === 0) return;
    const image = new ImageData(width, lanes.length);
    const pixels = new Uint32Array(image.data.buffer);
    lanes.forEach((lane, i) => {
      this.counts.painted += paintRow(
        pixels,
        i * width,
        width,
        trace,
        lane,
        view,
        palette.pixels,
        TEXT_FROM * ratio,
        (slice, x0, x1) => texts.push([slice, lane, x0 / ratio, x1 / ratio]),
      );
    });
    this.counts.rows = lanes.length;
    this.strip.width = width;
    this.strip.height = lanes.length;
    this.strip.getContext('2d').putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    lanes.forEach((lane, i) =>
      context.drawImage(
        this.strip,
        0,
        i,
        width,
        1,
        GUTTER,
        lane.y,
        this.plotWidth,
        lane.height - 1,
      ),
    );
    this.drawTexts(context, texts);
  }

  drawTexts(context, texts) {
    const {trace, palette} = this.state;
    for (const [slice, lane, x0, x1] of texts.slice(0, TEXTS_MAX)) {
      const name = trace.slices.name[slice];
      const text = fitText(context, trace.names[name], x1 - x0 - 8);
      context.fillStyle = palette.text[name];
      context.fillText(text, GUTTER + x0 + 4, lane.y + lane.height / 2);
      this.counts.texts++;
    }
  }

  drawInstants(context, lane) {
    const {trace, view, palette} = this.state;
    const bottom = lane.y + lane.height - 2;
    eachInstant(trace, lane, view, this.plotWidth, 5, (instant, x) => {
      const [r, g, b] = palette.rgb[trace.instants.name[instant]];
      context.fillStyle = `rgb(${r * 0.75}, ${g * 0.75}, ${b * 0.75})`;
      context.beginPath();
      context.moveTo(GUTTER + x, lane.y + 1);
      context.lineTo(GUTTER + x + 4, bottom);
      context.lineTo(GUTTER + x, bottom - 3);
      context.lineTo(GUTTER + x - 4, bottom);
      context.fill();
      this.counts.painted++;
    });
  }

  drawCounter(context, lane) {
    const {trace, view} = this.state;
    const {value} = trace.samples;
    const range = rangeOf(trace, lane.counter);
    const yOf = (sample) => lane.y + lane.height * (1 - heightOf(value[sample], range));
    const base = lane.y + lane.height * (1 - heightOf(0, range));
    const path = new Path2D();
    let start = null;
    let last = 0;
    eachPixel(trace, lane.counter, view, this.plotWidth, (x, first, greatest, least, end) => {
      const at = GUTTER + Math.max(0, x);
      if (start === null) path.moveTo((start = at), yOf(first));
      else path.lineTo(at, last);
      for (const sample of [first, greatest, least, end]) path.lineTo(at, yOf(sample));
      last = yOf(end);
      this.counts.painted++;
    });
    if (start === null) return;
    path.lineTo(Math.min(this.xOf(trace.span), GUTTER + this.plotWidth), last);
    const area = new Path2D(path);
    area.lineTo(Math.min(this.xOf(trace.span), GUTTER + this.plotWidth), base);
    area.lineTo(start, base);
    context.fillStyle = this.color('area-fill');
    context.fill(area);
    context.strokeStyle = this.color('area');
    context.lineWidth = 1;
    context.stroke(path);
  }

  // ---- the selection

  drawSelection(context, top, height) {
    const {selection, trace, layout} = this.state;
    if (selection?.kind === 'range') this.drawRangeEdges(context, selection);
    if (selection?.kind === 'instant')
      this.drawLine(context, trace.instants.time[selection.item], top, height);
    if (selection?.kind !== 'slice') return;
    const place = placeOf(trace, layout, selection.item);
    const {time, duration: lengths} = trace.slices;
    const x0 = this.xOf(time[selection.item]);
    const x1 = Math.max(x0 + 2, this.xOf(time[selection.item] + lengths[selection.item]));
    context.strokeStyle = this.color('text');
    context.lineWidth = 2;
    context.strokeRect(
      Math.max(x0, GUTTER - 4),
      place.y,
      Math.min(x1, GUTTER + this.plotWidth + 4) - Math.max(x0, GUTTER - 4),
      Math.min(place.height, 18) - 1,
    );
    this.drawFlows(context);
  }

  drawLine(context, time, top, height) {
    context.fillStyle = this.color('accent');
    context.fillRect(Math.round(this.xOf(time)), top, 1, height);
  }

  drawRange(context, {begin, end, top, bottom}) {
    const [x0, x1] = [this.xOf(begin), this.xOf(end)];
    context.fillStyle = this.color('select');
    context.fillRect(x0, top, x1 - x0, bottom - top);
  }

  // What is beside the range steps back.
  drawRangeEdges(context, {begin, end, top, bottom}) {
    const [x0, x1] = [this.xOf(begin), this.xOf(end)];
    context.fillStyle = this.color('back');
    context.globalAlpha = 0.5;
    context.fillRect(GUTTER, top, x0 - GUTTER, bottom - top);
    context.fillRect(x1, top, GUTTER + this.plotWidth - x1, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = this.color('accent');
    context.lineWidth = 1;
    context.strokeRect(x0 + 0.5, top + 0.5, x1 - x0 - 1, bottom - top - 1);
  }

  drawFlows(context) {
    const {chains, trace, layout} = this.state;
    const {time, slice} = trace.flows;
    const placed = (point) => {
      const place = slice[point] >= 0 ? placeOf(trace, layout, slice[point]) : null;
      return place && [this.xOf(time[point]), place.y + Math.min(place.height, 18) / 2];
    };
    context.strokeStyle = context.fillStyle = this.color('flow');
    context.lineWidth = 1.5;
    for (const chain of chains) {
      for (let i = 1; i < chain.length && this.counts.arrows < ARROWS_MAX; i++) {
        const [from, to] = [placed(chain[i - 1]), placed(chain[i])];
        if (from && to) this.drawArrow(context, from, to);
      }
    }
  }

  drawArrow(context, [x0, y0], [x1, y1]) {
    const bend = Math.min(60, Math.max(16, Math.abs(x1 - x0) / 2));
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 5, y1);
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 7, y1 - 4);
    context.lineTo(x1 - 7, y1 + 4);
    context.fill();
    this.counts.arrows++;
  }

  // ---- names on the left

  drawLabels(context, blocks, top) {
    const {scroll} = this.elements;
    for (const block of blocks) {
      if (block.kind === 'group') {
        this.drawGroupLabel(context, block);
        continue;
      }
      context.fillStyle = this.color('back');
      context.fillRect(0, block.y, GUTTER - 1, block.height - 1);
      if (block.kind === 'counter') this.drawCounterLabel(context, block);
      else this.drawTrackLabel(context, block, top);
    }
    context.fillStyle = this.color('line');
    context.fillRect(GUTTER - 1, top, 1, scroll.clientHeight);
  }

  drawGroupLabel(context, block) {
    const {group} = block;
    const y = block.y + block.height / 2;
    context.fillStyle = this.color('muted');
    this.drawFold(context, 12, y, group.folded);
    context.font = BOLD;
    context.fillStyle = this.color('text');
    context.fillText(fitText(context, group.name, this.elements.scroll.clientWidth - 40), 22, y);
    context.font = FONT;
  }

  drawFold(context, x, y, folded) {
    context.beginPath();
    const points = folded
      ? [
          [-2, -4],
          [3, 0],
          [-2, 4],
        ]
      : [
          [-4, -2],
          [4, -2],
          [0, 3],
        ];
    for (const [dx, dy] of points) context.lineTo(x + dx, y + dy);
    context.fill();
  }

  drawTrackLabel(context, block, top) {
    const {track} = block;
    const y = Math.min(Math.max(block.y, top) + 12, block.y + block.height - 9);
    if (track.rows.length > 1) {
      context.fillStyle = this.color('muted');
      this.drawFold(context, 26, y, track.folded);
    }
    context.fillStyle = this.color(track.kind === ASYNC ? 'muted' : 'text');
    context.fillText(fitText(context, track.name, GUTTER - 46), 36, y);
  }

  drawCounterLabel(context, block) {
    const {value, greatest} = this.state.trace.samples;
    const {counter} = block;
    context.fillStyle = this.color('text');
    context.fillText(fitText(context, counter.name, GUTTER - 46), 36, block.y + 13);
    if (counter.end === counter.begin) return;
    const most = value[greatest.best(counter.begin, counter.end)];
    context.fillStyle = this.color('muted');
    context.fillText(fitText(context, `max ${numberText(most)}`, GUTTER - 46), 36, block.y + 29);
  }

  drawEmpty(context, width, height) {
    context.fillStyle = this.color('muted');
    context.textAlign = 'center';
    context.fillText('This trace has no events.', width / 2, height / 2);
    context.textAlign = 'start';
  }

  // ---- ruler and overview

  ticks() {
    const {view} = this.state;
    const step = niceStep(((view.end - view.begin) * 110) / this.plotWidth);
    const times = [];
    this.step = step;
    for (
      let time = Math.ceil(view.begin / step) * step;
      time <= view.end && times.length < 100;
      time += step
    )
      times.push(time);
    return times;
  }

  drawRuler() {
    const {scroll, ruler} = this.elements;
    const context = fitCanvas(ruler, scroll.clientWidth, 23);
    const {view, selection} = this.state;
    context.fillStyle = this.color('muted');
    context.fillText(`${duration(view.end - view.begin)} in view`, 12, 12);
    for (const time of this.ticks()) {
      const x = Math.round(this.xOf(time));
      if (x < GUTTER) continue;
      context.fillStyle = this.color('line');
      context.fillRect(x, 12, 1, 11);
      const text = tick(time, this.step, view.end);
      context.fillStyle = this.color('muted');
      if (x + 4 + context.measureText(text).width < scroll.clientWidth)
        context.fillText(text, x + 4, 12);
    }
    if (selection?.kind === 'range') this.drawSpan(context, selection);
  }

  drawSpan(context, {begin, end}) {
    const x0 = Math.max(GUTTER, this.xOf(begin));
    const x1 = Math.max(x0, this.xOf(end));
    context.fillStyle = this.color('select');
    context.fillRect(x0, 0, x1 - x0, 23);
    const text = duration(end - begin);
    const width = context.measureText(text).width + 12;
    const x = Math.min((x0 + x1 - width) / 2, GUTTER + this.plotWidth - width);
    context.fillStyle = this.color('accent');
    context.fillRect(Math.max(GUTTER, x), 3, width, 17);
    context.fillStyle = this.color('back');
    context.fillText(text, Math.max(GUTTER, x) + 6, 12);
  }

  mapX(time) {
    return GUTTER + (time / Math.max(1, this.state.trace.span)) * this.plotWidth;
  }

  mapTime(x) {
    return ((x - GUTTER) / this.plotWidth) * Math.max(1, this.state.trace.span);
  }

  // The outermost slices of each track, one line of pixels each.
  mapImage() {
    const {trace, palette} = this.state;
    const width = Math.round(this.plotWidth);
    if (this.map?.width === width && this.map.palette === palette) return this.map.canvas;
    const tracks = trace.groups
      .flatMap((group) => group.tracks)
      .filter((track) => track.rows.length > 0)
      .slice(0, 400);
    const canvas = document.createElement('canvas');
    this.map = {width, palette, canvas};
    canvas.width = width;
    canvas.height = Math.max(1, tracks.length);
    const image = new ImageData(width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    const view = {begin: 0, end: Math.max(1, trace.span)};
    tracks.forEach((track, i) =>
      paintRow(
        pixels,
        i * width,
        width,
        trace,
        track.rows[0],
        view,
        palette.pixels,
        Infinity,
        null,
      ),
    );
    canvas.getContext('2d').putImageData(image, 0, 0);
    return canvas;
  }

  // Where the hits of a search are, one mark a pixel: the overview itself shows long slices only.
  drawHits(context) {
    const {hits, trace} = this.state;
    const width = Math.round(this.plotWidth);
    if (this.marks?.hits !== hits || this.marks.width !== width) {
      const marked = new Uint8Array(width + 1);
      for (const slice of hits)
        marked[Math.round((trace.slices.time[slice] / Math.max(1, trace.span)) * width)] = 1;
      this.marks = {hits, width, marked};
    }
    context.fillStyle = this.color('hit');
    this.marks.marked.forEach((mark, x) => mark && context.fillRect(GUTTER + x, 36, 2, 6));
  }

  drawMap() {
    const {scroll, map} = this.elements;
    const {view, trace, selection} = this.state;
    const context = fitCanvas(map, scroll.clientWidth, 43);
    context.fillStyle = this.color('muted');
    context.fillText(`${duration(trace.span)} in all`, 12, 22);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.mapImage(), GUTTER, 3, this.plotWidth, 37);
    const [x0, x1] = [this.mapX(view.begin), this.mapX(view.end)].map((x) =>
      Math.min(GUTTER + this.plotWidth, Math.max(GUTTER, x)),
    );
    context.fillStyle = this.color('back');
    context.globalAlpha = 0.65;
    context.fillRect(GUTTER, 0, x0 - GUTTER, 43);
    context.fillRect(x1, 0, GUTTER + this.plotWidth - x1, 43);
    context.globalAlpha = 1;
    this.drawHits(context);
    context.strokeStyle = this.color('accent');
    context.lineWidth = 2;
    context.strokeRect(x0 + 1, 1, Math.max(3, x1 - x0) - 2, 41);
    if (selection?.kind === 'range') {
      context.fillStyle = this.color('select');
      context.fillRect(
        this.mapX(selection.begin),
        0,
        Math.max(1, this.mapX(selection.end) - this.mapX(selection.begin)),
        43,
      );
    }
  }
}
