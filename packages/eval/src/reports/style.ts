/** How the page of a report looks, in light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #16181c); --card: light-dark(#f5f6f8, #1f2227); --line: light-dark(#d5d9df, #3a4049);
  --ink: light-dark(#1b1f24, #e8eaed); --soft: light-dark(#555d67, #a9b0bb); --bar: light-dark(#3f6fb0, #7aa7e6);
  --good: light-dark(#1d7044, #5ecb8d); --bad: light-dark(#b3261e, #ff8a80);
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink); }
main { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 3rem; } h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
.soft, figcaption { color: var(--soft); } .passed { color: var(--good); } .failed, .error { color: var(--bad); }
.badge { display: inline-block; min-width: 3.2rem; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; font-size: .8rem; text-align: center; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
tbody th { font-weight: inherit; white-space: normal; min-width: 10rem; } thead th { font-size: .85rem; color: var(--soft); }
.squares { display: flex; flex-wrap: wrap; gap: 2px; width: max-content; max-width: 9rem; }
.squares i { width: .7rem; height: .7rem; border-radius: 2px; background: currentColor; }
.squares .failed, .squares .error { border-radius: 50%; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figure { margin: 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--card); }
figcaption { font-size: .85rem; margin-bottom: .5rem; } figcaption b { display: block; color: var(--ink); overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; overflow: visible; } text { font-size: 11px; fill: var(--soft); }
.bar { fill: var(--bar); } .axis { stroke: var(--line); } .limit { stroke: var(--bad); stroke-dasharray: 3; }
.whisker { stroke: var(--ink); stroke-width: 2; }
details.case { padding: .4rem 1rem; margin: .5rem 0; border-radius: .5rem; background: var(--card); }
details details { margin: .2rem 0 .2rem 1rem; } summary { cursor: pointer; } .score { margin-left: .75rem; font-size: .85rem; }
.score.passed { color: var(--soft); } pre { margin: .5rem 0 1rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
