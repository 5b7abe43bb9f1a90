/** The style of `report.html`, for both colour schemes and for screens from phone size up. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --pass: #1a7f37; --fail: #c0262d; --warn: #8a5a00; --note: #2559b4; --skip: #5c636b; --error: #8b2fb3; }
@media (prefers-color-scheme: dark) { :root { --pass: #57c274; --fail: #ff8b8b; --warn: #e0b050; --note: #86b4ff; --skip: #a8b0b8; --error: #d79af0; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h3 { font-size: .9rem; margin: 0; }
.verdict { border-left: .3rem solid; padding: .4rem .8rem; font-weight: 600; background: var(--soft); }
dl { margin: 0; } dl div { display: grid; grid-template-columns: 8rem 1fr; gap: .5rem; } dt { color: var(--skip); } dd { margin: 0; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
.filter { position: sticky; top: 0; background: Canvas; padding: .5rem 0; z-index: 1; }
nav ul { columns: 20rem; padding-left: 1.2rem; } a { color: var(--note); }
details { border-top: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; }
details > p, article { margin: .4rem 0 .4rem 1rem; }
article { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; }
pre { background: var(--soft); margin: .5rem 0 0; max-height: 24rem; overflow: auto; padding: .6rem; white-space: pre-wrap; font-size: .85rem; }
.status { display: inline-block; min-width: 3.2rem; font: 600 .8rem/1.4 ui-monospace, monospace; border: 1px solid; border-radius: .3rem; text-align: center; }
small { color: var(--skip); }
.pass { color: var(--pass); } .fail { color: var(--fail); } .warn { color: var(--warn); } .note { color: var(--note); } .skip { color: var(--skip); } .error { color: var(--error); }
[hidden] { display: none; }
@media (max-width: 40rem) { dl div { grid-template-columns: 1fr; gap: 0; } .filter { position: static; } .filter small { display: none; } summary > span:last-child { display: block; } }
`;

/** The script of `report.html`: shows the requirements with the ticked statuses. */
export const SCRIPT = `
const form = document.querySelector('.filter');
form.hidden = false;
form.addEventListener('change', () => {
  const shown = new Set(new FormData(form).getAll('status'));
  for (const item of document.querySelectorAll('[data-status]')) item.hidden = !shown.has(item.dataset.status);
  for (const section of document.querySelectorAll('section'))
    section.hidden = section.querySelector('[data-status]:not([hidden])') === null;
});
`;
