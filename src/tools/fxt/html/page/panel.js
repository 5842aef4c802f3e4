// The panel below the timeline: details of what is selected, tables and the flame graph of a range.
import {byName, counterRows, selfTime, stacks} from './aggregate.js';
import {css} from './color.js';
import {changes, changeText, sidesOf, stackChanges} from './compare.js';
import {argsOf, ASYNC, CPU, rowOf} from './data.js';
import {element, link, pairs, sortedTable} from './dom.js';
import {DifferenceFlame, Flame} from './flame.js';
import {count, duration, exact, numberText, spanText} from './time.js';

const STACK_MAX = 64;

export class Panel {
  // actions: select(kind, item), find(name)
  constructor(state, elements, actions) {
    Object.assign(this, {state, elements, actions, tab: 'details'});
    this.tabs = [...elements.tabs.querySelectorAll('[role=tab]')];
    for (const tab of this.tabs) tab.addEventListener('click', () => this.show(tab.dataset.tab));
    elements.tabs.addEventListener('keydown', (event) => this.moveTab(event));
  }

  moveTab(event) {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.code];
    if (!step) return;
    const at = this.tabs.findIndex((tab) => tab.dataset.tab === this.tab);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(next.dataset.tab);
    next.focus();
    event.stopPropagation();
  }

  show(tab = this.tab) {
    this.tab = tab;
    for (const button of this.tabs) {
      button.setAttribute('aria-selected', String(button.dataset.tab === tab));
      button.tabIndex = button.dataset.tab === tab ? 0 : -1;
    }
    const {body, scope} = this.elements;
    body.scrollTop = 0;
    this.flame = null;
    scope.textContent = tab === 'names' || tab === 'flame' ? this.scopeText() : '';
    body.replaceChildren(
      ...{
        details: () => this.details(),
        names: () => this.names(),
        flame: () => this.flameGraph(),
        notes: () => this.notes(),
      }[tab](),
    );
    this.flame?.draw();
  }

  // ---- what is selected

  // The range of the tables: what was dragged, else the window over all tracks.
  range() {
    const {selection, view, trace} = this.state;
    const limit = (time) => Math.min(trace.span, Math.max(0, time));
    if (selection?.kind === 'range') return selection;
    return {
      begin: limit(view.begin),
      end: limit(view.end),
      rows: trace.rows,
      counters: trace.counters,
    };
  }

  scopeText() {
    const range = this.range();
    const what = this.state.selection?.kind === 'range' ? 'selected' : 'in view';
    return `${duration(range.end - range.begin)} ${what}`;
  }

  swatch(name) {
    return element('span', {class: 'swatch', color: css(this.state.palette.rgb[name])});
  }

  details() {
    const {selection} = this.state;
    if (selection?.kind === 'slice') return [this.slice(selection.item)];
    if (selection?.kind === 'instant') return [this.instant(selection.item)];
    if (selection?.kind === 'range') return this.names();
    return [
      element(
        'p',
        {},
        'Click a slice for its details. Drag over a range for sums by name and a flame graph. ' +
          'Press ? for the keys.',
      ),
      this.summary(),
    ];
  }

  summary() {
    const {trace} = this.state;
    return pairs([
      ['Time', spanText(trace)],
      ['Slices', count(trace.slices.count)],
      ['Instants', count(trace.instants.count)],
      ['Samples of counters', count(trace.samples.count)],
      ['Points of flows', count(trace.flows.count)],
      ...trace.notes.map((note) => ['Note', note]),
    ]);
  }

  slice(item) {
    const {trace} = this.state;
    const {slices} = trace;
    const row = rowOf(trace, item);
    const facts = [
      ['Category', trace.names[slices.category[item]] || '—'],
      ['Begin', exact(slices.time[item])],
      [
        'Duration',
        slices.unfinished.has(item)
          ? `at least ${duration(slices.duration[item])}: it has no end`
          : duration(slices.duration[item]),
      ],
      [row.track.kind === CPU ? 'CPU' : 'Track', `${row.track.group.name} / ${row.track.name}`],
    ];
    if (row.track.kind !== ASYNC)
      facts.splice(3, 0, ['Self time', duration(selfTime(trace, item, row.track.rows))]);
    return element(
      'div',
      {class: 'columns'},
      this.head(slices.name[item], facts),
      this.args(slices, item),
      this.stack(item),
      this.flows(),
    );
  }

  instant(item) {
    const {trace} = this.state;
    const {instants} = trace;
    const facts = [
      ['Kind', 'instant'],
      ['Category', trace.names[instants.category[item]] || '—'],
      ['Time', exact(instants.time[item])],
    ];
    return element(
      'div',
      {class: 'columns'},
      this.head(instants.name[item], facts),
      this.args(instants, item),
    );
  }

  head(name, facts) {
    const title = this.state.trace.names[name];
    return element(
      'div',
      {},
      element('h2', {}, this.swatch(name), title || '(no name)'),
      pairs(facts),
      link('Find all of this name', () => this.actions.find(title)),
    );
  }

  args(items, item) {
    const list = argsOf(this.state.trace, items, item);
    if (list.length === 0) return null;
    return element('div', {}, element('h3', {}, 'Arguments'), pairs(list));
  }

  stack(item) {
    const {trace} = this.state;
    const {name, parent, duration: lengths} = trace.slices;
    const lines = [];
    for (let at = parent[item]; at >= 0 && lines.length < STACK_MAX; at = parent[at]) {
      const target = at;
      lines.push([
        link(trace.names[name[at]] || '(no name)', () => this.actions.select('slice', target)),
        duration(lengths[at]),
      ]);
    }
    if (lines.length === 0) return null;
    return element('div', {}, element('h3', {}, 'Inside of'), pairs(lines));
  }

  flows() {
    const {trace, chains, selection} = this.state;
    const {slice, time} = trace.flows;
    const lines = [];
    for (const point of chains.flat().slice(0, 200)) {
      const target = slice[point];
      if (target < 0) continue;
      const title = trace.names[trace.slices.name[target]] || '(no name)';
      lines.push([
        exact(time[point]),
        target === selection.item ? title : link(title, () => this.actions.select('slice', target)),
      ]);
    }
    return lines.length === 0 ? null : element('div', {}, element('h3', {}, 'Flow'), pairs(lines));
  }

  // ---- tables

  nameColumn() {
    const title = (row) => this.state.trace.names[row.name];
    const show = (row) =>
      element(
        'span',
        {},
        this.swatch(row.name),
        link(title(row) || '(no name)', () => this.actions.find(title(row))),
        row.isAsync ? ', async' : '',
      );
    return {title: 'Name', value: title, show};
  }

  names() {
    const {trace} = this.state;
    const range = this.range();
    if (trace.sides) return this.changes(range);
    const rows = byName(trace, range.rows, range);
    const time = (title, key) => ({
      title,
      value: (row) => row[key],
      show: (row) => duration(row[key]),
    });
    const columns = [
      this.nameColumn(),
      {title: 'Count', value: (row) => row.count, show: (row) => count(row.count)},
      time('Total', 'total'),
      time('Self', 'self'),
      time('Mean', 'mean'),
      time('Min', 'min'),
      time('Max', 'max'),
    ];
    const tables = rows.length > 0 ? [sortedTable('Slices by name', rows, columns, 2)] : [];
    const counters = this.counters(range);
    if (tables.length + counters.length === 0)
      return [element('p', {class: 'muted'}, 'No slices and no counters here.')];
    return [element('div', {class: 'columns'}, ...tables, ...counters)];
  }

  // What changed between two traces: the numbers of `fxt report --diff`.
  changes(range) {
    const {trace} = this.state;
    const rows = changes(trace, sidesOf(trace, range.rows), range);
    const number = (title, side, key, show) => ({
      title,
      value: (row) => row[side]?.[key] ?? -1,
      show: (row) => (row[side] === null ? '—' : show(row[side][key])),
    });
    const change = (title, key, isLarge) => ({
      title,
      value: (row) => Math.abs((row.new?.[key] ?? 0) - (row.old?.[key] ?? 0)),
      show: (row) => changeText(row.old, row.new, key) + (row[isLarge] ? ' *' : ''),
    });
    const columns = [
      this.nameColumn(),
      number('Old count', 'old', 'count', count),
      number('New count', 'new', 'count', count),
      number('Old total', 'old', 'total', duration),
      number('New total', 'new', 'total', duration),
      change('Change', 'total', 'isTotalLarge'),
      number('Old median', 'old', 'p50', duration),
      number('New median', 'new', 'p50', duration),
      change('Change', 'p50', 'isMedianLarge'),
    ];
    return [
      element('p', {class: 'muted'}, '* more than the spread of the durations explains'),
      sortedTable('Slices by name, old and new', rows, columns, 5),
      ...this.counters(range),
    ];
  }

  counters(range) {
    const rows = counterRows(this.state.trace, range.counters, range);
    const value = (title, key) => ({
      title,
      value: (row) => row[key],
      show: (row) => numberText(row[key]),
    });
    const label = ({counter}) => `${counter.name}, ${counter.group.name}`;
    if (rows.length === 0) return [];
    return [
      sortedTable(
        'Counters',
        rows,
        [
          {title: 'Counter', value: label, show: label},
          value('First', 'first'),
          value('Last', 'last'),
          {
            title: 'Change',
            value: (row) => row.last - row.first,
            show: (row) => numberText(row.last - row.first),
          },
          value('Mean', 'mean'),
          value('Min', 'min'),
          value('Max', 'max'),
        ],
        0,
      ),
    ];
  }

  flameGraph() {
    const range = this.range();
    const {trace} = this.state;
    const root = trace.sides
      ? stackChanges(trace, sidesOf(trace, range.rows), range)
      : stacks(
          trace,
          range.rows.filter((row) => row.track.kind !== CPU),
          range,
        );
    if (root.children.size === 0) return [element('p', {class: 'muted'}, 'No slices here.')];
    this.flame = new (trace.sides ? DifferenceFlame : Flame)(this.state, root);
    return [this.flame.element];
  }

  notes() {
    const {trace} = this.state;
    const lines = trace.notes.length > 0 ? trace.notes : ['Nothing is left out of this page.'];
    return [element('ul', {}, ...lines.map((line) => element('li', {}, line))), this.summary()];
  }
}
