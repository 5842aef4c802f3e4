// Elements from texts. Texts of the trace only ever become text nodes.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'color') made.style.background = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// A table of two columns.
export function pairs(list) {
  const rows = list.map(([name, value]) =>
    element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, value)),
  );
  return element('table', {}, element('tbody', {}, ...rows));
}

export function link(text, onclick) {
  return element('button', {type: 'button', class: 'link', onclick}, text);
}

// A table that sorts by the column whose head is clicked. columns: {title, value(row), show(row)};
// `show` gives a text or an element. At most `limit` rows are shown.
export function sortedTable(label, rows, columns, by, limit = 1000) {
  const body = element('tbody');
  const heads = [];
  let order = {column: by, down: typeof columns[by].value(rows[0] ?? {}) !== 'string'};
  const fill = () => {
    const {value} = columns[order.column];
    const compare = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
    const sorted = [...rows].sort((a, b) => (order.down ? -compare(a, b) : compare(a, b)));
    body.replaceChildren(
      ...sorted
        .slice(0, limit)
        .map((row) => element('tr', {}, ...columns.map(({show}) => element('td', {}, show(row))))),
    );
    heads.forEach((head, i) =>
      head.setAttribute(
        'aria-sort',
        i !== order.column ? 'none' : order.down ? 'descending' : 'ascending',
      ),
    );
    heads.forEach((head, i) => {
      head.lastChild.textContent =
        columns[i].title + (i !== order.column ? '' : order.down ? ' ▾' : ' ▴');
    });
  };
  columns.forEach(({title}, column) => {
    const onclick = () => {
      order = {column, down: order.column === column ? !order.down : column > 0};
      fill();
    };
    heads.push(element('th', {scope: 'col'}, element('button', {type: 'button', onclick}, title)));
  });
  fill();
  const table = element(
    'table',
    {class: 'numbers', 'aria-label': label},
    element('thead', {}, element('tr', {}, ...heads)),
    body,
  );
  const rest = rows.length - limit;
  return rest > 0
    ? element('div', {}, table, element('p', {class: 'muted'}, `${rest} more rows`))
    : table;
}
