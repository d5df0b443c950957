'use strict';
for (const run of document.querySelectorAll('section.run')) {
  const data = JSON.parse(run.querySelector('.data').textContent);
  const slider = run.querySelector('input'), output = run.querySelector('output'), now = run.querySelector('.now');
  const chart = run.querySelector('.chart'), names = chart.querySelector('svg');
  const rows = new Map([...run.querySelectorAll('.step')].map(row => [Number(row.dataset.step), row]));
  const first = data.skipped, last = data.skipped + data.steps.length;
  let here = null;
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const show = number => {
    slider.value = number;
    output.textContent = number === 0 ? 'initial state' : `step ${number} of ${last}`;
    if (here) here.classList.remove('here');
    here = rows.get(number) || null;
    if (here) {
      here.classList.add('here');
      const box = here.querySelector('.hit'), top = Number(box.getAttribute('y'));
      if (top < chart.scrollTop + names.clientHeight || top + 40 > chart.scrollTop + chart.clientHeight) chart.scrollTop = top - chart.clientHeight / 2;
      const mark = here.querySelector('.box, .dot, .arrow, .tip'), left = mark ? mark.getBBox().x : 0;
      if (mark && (left < chart.scrollLeft || left + 60 > chart.scrollLeft + chart.clientWidth)) chart.scrollLeft = left - chart.clientWidth / 2;
    }
    now.replaceChildren();
    const step = data.steps[number - first - 1];
    if (step) {
      now.append(element('h3', `${step[0]}: ${step[1]}`));
      if (step[2]) now.append(element('p', step[2], 'quiet'));
      for (const said of step[4]) now.append(element('p', said));
      if (step[5]) now.append(element('p', '✗ ' + step[5], 'wrong'));
    }
    const values = new Map(data.initial || []), changed = new Set(step ? step[3].map(change => change[0]) : []);
    for (const [, , , changes] of data.steps.slice(0, number - first)) for (const [name, value] of changes) values.set(name, value);
    if (values.size) {
      const table = element('table');
      for (const [name, value] of values) {
        const row = element('tr', undefined, changed.has(name) ? 'changed' : '');
        row.append(element('td', name), element('td', value, 'v'));
        table.append(row);
      }
      now.append(table);
    }
  };
  const go = by => {
    const at = Number(slider.value) + by;
    if (at > last && data.loop !== null && data.loop < last) show(Math.max(data.loop + 1, first));
    else show(Math.min(last, Math.max(first, at)));
  };
  slider.addEventListener('input', () => show(Number(slider.value)));
  for (const button of run.querySelectorAll('[data-go]')) button.addEventListener('click', () => go(Number(button.dataset.go)));
  for (const [number, row] of rows) row.addEventListener('click', () => show(number));
  run.tabIndex = -1;
  run.addEventListener('keydown', event => {
    if (event.target === slider) return;
    if (event.key === 'ArrowLeft') go(-1); else if (event.key === 'ArrowRight') go(1); else return;
    event.preventDefault();
  });
  show(last);
}
