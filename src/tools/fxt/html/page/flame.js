// The flame graph of a range: the tree of stacks, equal ones merged, the heaviest first.
import {changeColor, css, textOn} from './color.js';
import {changeShare, changeText} from './compare.js';
import {element} from './dom.js';
import {count, duration} from './time.js';

const FLAME_ROW = 18;
const FLAME_DEPTH = 200;

// {node, x0, x1, depth} for each box of at least `least` of the width, without recursion.
export function boxes(root, least) {
  const list = [];
  const open = [{node: root, x0: 0, x1: 1, depth: 0}];
  while (open.length > 0) {
    const box = open.pop();
    list.push(box);
    if (box.depth === FLAME_DEPTH) continue;
    let x0 = box.x0;
    const scale = (box.x1 - box.x0) / Math.max(box.node.total, 1e-9);
    for (const node of [...box.node.children.values()].sort((a, b) => b.total - a.total)) {
      const x1 = Math.min(box.x1, x0 + node.total * scale);
      if (x1 - x0 >= least) open.push({node, x0, x1, depth: box.depth + 1});
      x0 = x1;
    }
  }
  return list;
}

export class Flame {
  constructor(state, root) {
    this.state = state;
    this.root = root;
    this.path = [root]; // down to the box that fills the width
    this.canvas = element('canvas', {
      id: 'flame',
      role: 'img',
      'aria-label': 'Flame graph; the table by name has the same numbers',
    });
    this.line = element('p', {class: 'muted', 'aria-live': 'polite'});
    this.canvas.addEventListener('mousemove', (event) => this.tell(this.at(event)));
    this.canvas.addEventListener('click', (event) => this.enter(this.at(event)));
    this.element = element('div', {}, this.line, this.canvas);
  }

  nameOf(node) {
    return node === this.root ? 'all' : this.state.trace.names[node.name];
  }

  labelOf(node) {
    return this.nameOf(node);
  }

  // Of a box, and of its text.
  coloursOf(node) {
    const {palette} = this.state;
    if (node !== this.root) return [css(palette.rgb[node.name]), palette.text[node.name]];
    const style = getComputedStyle(document.documentElement);
    return [style.getPropertyValue('--group'), style.getPropertyValue('--text')];
  }

  numbersOf(node) {
    const share = (node.total / Math.max(this.root.total, 1e-9)) * 100;
    const slices = node === this.root ? '' : `, ${count(node.count)} slices`;
    return `${duration(node.total)}, ${share.toFixed(1)} %${slices}`;
  }

  tell(box) {
    const node = box?.node ?? this.path.at(-1);
    const hint =
      this.path.length > 1 ? ' — click "all" to go back' : ' — click a box to enlarge it';
    this.line.textContent =
      `${this.nameOf(node)}: ${this.numbersOf(node)}` + (box && node !== this.root ? '' : hint);
  }

  enter(box) {
    if (!box) return;
    this.path = box.node === this.root ? [this.root] : [this.root, box.node];
    this.draw();
  }

  at(event) {
    const x = event.offsetX / this.canvas.clientWidth;
    const depth = Math.floor(event.offsetY / FLAME_ROW);
    return this.list.find((box) => box.depth === depth && x >= box.x0 && x < box.x1) ?? null;
  }

  // The root, and below it the tree of what fills the width.
  layout(width) {
    const focus = this.path.at(-1);
    const list = boxes(focus, 1 / width);
    if (focus === this.root) return list;
    for (const box of list) box.depth++;
    return [{node: this.root, x0: 0, x1: 1, depth: 0}, ...list];
  }

  draw() {
    const width = Math.max(1, this.element.clientWidth);
    this.list = this.layout(width);
    const height = FLAME_ROW * (1 + this.list.reduce((most, box) => Math.max(most, box.depth), 0));
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    context.textBaseline = 'middle';
    context.font = '11px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
    for (const box of this.list) this.drawBox(context, box, width);
    this.tell(null);
  }

  drawBox(context, {node, x0, x1, depth}, width) {
    const [left, room] = [x0 * width, (x1 - x0) * width];
    const [fill, ink] = this.coloursOf(node);
    context.fillStyle = fill;
    context.fillRect(left, depth * FLAME_ROW, Math.max(1, room - 1), FLAME_ROW - 1);
    if (room < 28) return;
    const text = this.labelOf(node).slice(0, 300);
    const wide = context.measureText(text).width;
    const letters =
      wide <= room - 8 ? text.length : Math.floor((text.length * (room - 8)) / wide) - 1;
    if (letters < 1) return;
    context.fillStyle = ink;
    context.fillText(
      letters < text.length ? `${text.slice(0, letters)}…` : text,
      left + 4,
      depth * FLAME_ROW + FLAME_ROW / 2,
    );
  }
}

// The same of two traces: a box is as wide as both together, red if the new one takes longer there,
// and green if it takes less.
export class DifferenceFlame extends Flame {
  labelOf(node) {
    return `${this.nameOf(node)}  ${changeText(node.old, node.new)}`;
  }

  coloursOf(node) {
    const rgb = changeColor(changeShare(node.old, node.new), this.state.dark);
    return [css(rgb), textOn(rgb)];
  }

  numbersOf(node) {
    const {old, new: young} = node;
    return (
      `${duration(old.total)} → ${duration(young.total)}, ${changeText(old, young)}` +
      (node === this.root ? '' : `, ${count(old.count)} → ${count(young.count)} slices`)
    );
  }
}
