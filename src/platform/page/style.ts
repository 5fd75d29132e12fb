import { cssString } from './escape.ts';

/** Texts in the margins of each printed sheet, next to the number of the page. */
export interface SheetMargins {
  topLeft: string;
  topRight: string;
  bottomLeft: string;
}

/** Returns the style of printed sheets: A4 with a header and a footer (CSS Paged Media, margin boxes). */
export function sheetStyle({ topLeft, topRight, bottomLeft }: SheetMargins): string {
  const box = (name: string, content: string): string => `@${name}{${MARGIN_TEXT}content:${content}}`;
  return (
    `@page{size:A4;margin:20mm 15mm 18mm;` +
    box('top-left', cssString(topLeft)) +
    box('top-right', cssString(topRight)) +
    box('bottom-left', cssString(bottomLeft)) +
    box('bottom-right', '"Page " counter(page) " of " counter(pages)') +
    '}'
  );
}

const MARGIN_TEXT = 'font:7.5pt system-ui,sans-serif;color:#000;white-space:nowrap;';

/**
 * The style of every page. On screen it follows the color scheme of the reader; printed it is black on white,
 * so that nothing depends on a color. Text has a contrast of at least 4.5:1 with its background (WCAG 2.2,
 * 1.4.3).
 */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c1f23;--soft:#565d66;--line:#cfd4da;--paper:#fff;--panel:#f4f5f7;--link:#0a4f9e;
--satisfied:#1d6b3f;--partial:#9a5b00;--absent:#6b7280;--warning:#7a3e00}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a8b0ba;--line:#3f464f;--paper:#14171a;--panel:#1e2227;--link:#8bbcff;
--satisfied:#63c98b;--partial:#e3a64a;--absent:#9aa3ae}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;
-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0}
main{max-width:72rem;margin:0 auto;padding:2rem 1.25rem 4rem}
.notice{margin:0;max-width:none;padding:.5rem 1rem;background:var(--warning);color:#fff;font-weight:600;text-align:center}
.home{background:var(--panel);border-bottom:1px solid var(--line);padding:.7rem 1.25rem}
.home>a{display:flex;align-items:center;gap:.5rem;max-width:69.5rem;margin:0 auto;color:var(--ink);font-weight:700;text-decoration:none}
.home svg{width:1.35em;height:1.35em;color:var(--link)}
.home .tick{stroke:var(--panel);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h1{font-size:1.9rem;line-height:1.2;margin:.15rem 0 .35rem;letter-spacing:-.01em}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .6rem}
h3{font-size:1rem;line-height:1.4;margin:1.6rem 0 .3rem}
p{margin:.4rem 0;max-width:46rem}
h1,h2,.notice{text-wrap:balance}
p,li,dd{text-wrap:pretty}
ul{margin:.4rem 0;padding-left:1.25rem;max-width:46rem}
li{margin:.2rem 0}
a{color:var(--link)}
.kicker{color:var(--soft);font-weight:600;margin:0}
.soft{color:var(--soft)}
.hash,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.84em;overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--panel);padding:.75rem 1rem;border-radius:6px;margin:.6rem 0}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1.5rem;margin:1.25rem 0 0}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.facts dd p{margin:0}
table{border-collapse:collapse;width:100%;margin:.6rem 0;font-size:.94rem}
caption{text-align:left;color:var(--soft);padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.55rem .75rem .55rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-weight:600;border-bottom:2px solid var(--line);vertical-align:bottom}
tbody th{font-weight:600}
td p{margin:0 0 .25rem}
th p{margin:0;font-weight:400}
.controls thead th:first-child{width:31%}
.controls thead th:nth-child(2){width:9em}
.metrics{table-layout:fixed}
.metrics thead th:first-child{width:29%}
.sample th,.sample td{padding-top:.2rem;padding-bottom:.2rem}
.sample{font-size:.88rem;table-layout:fixed}
.sample th:nth-child(1){width:5rem}
.sample th:nth-child(2){width:6.2rem}
.sample th:nth-child(3){width:4.5rem}
.sample th:nth-child(4){width:10.5rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.nowrap{white-space:nowrap}
.counts{color:var(--soft);font-size:.9em}
.status{white-space:nowrap;font-weight:600}
svg{display:block}
.swatch{display:inline-block;width:.95em;height:.95em;margin-right:.45em;vertical-align:-.1em}
.bar{width:100%;height:32px;overflow:visible;margin:.75rem 0 .5rem}
.satisfied{fill:var(--satisfied)}
.partial-back,.absent{fill:var(--paper);stroke:var(--partial)}
.absent{stroke:var(--absent)}
.partial-line{stroke:var(--partial);fill:none}
.absent-dot{fill:var(--absent)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 2rem;list-style:none;padding:0;margin:0;max-width:none}
.legend strong{font-variant-numeric:tabular-nums}
.plots{display:grid;gap:0 2rem}
.captioned{margin:1rem 0 0;break-inside:avoid}
figcaption{margin:0 0 .4rem}
.plot{width:100%;height:12.5rem;padding:.5rem .75rem 1.75rem 3rem;overflow:visible}
.plot text{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--soft);stroke-width:1}
.series{stroke:var(--ink);stroke-width:1.75;fill:none;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}
.point{fill:var(--ink)}
.mean{stroke:var(--ink);stroke-width:1;stroke-dasharray:6 4}
.empty{color:var(--soft);border:1px dashed var(--line);padding:1rem;max-width:none}
@media screen and (max-width:44rem){
main{padding:1.25rem 1rem 3rem}
h1{font-size:1.5rem}
.facts{grid-template-columns:minmax(0,1fr);gap:0}
.facts dd{margin-bottom:.55rem}
.stacked,.stacked tbody,.stacked tr,.stacked th,.stacked td,.stacked caption{display:block}
.stacked thead{display:none}
.stacked tr{border-bottom:1px solid var(--line);padding:.7rem 0}
.stacked th,.stacked td{border:0;padding:.1rem 0;text-align:left;white-space:normal}
.stacked td[data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
.sample.stacked td{display:inline-block;padding-right:1rem}
.notice{font-size:.88rem}
.minor{display:none}
}
@media print{
:root{color-scheme:light;--ink:#000;--soft:#333;--line:#999;--paper:#fff;--panel:#fff;--link:#000;--satisfied:#000;--partial:#000;--absent:#000}
html{font-size:9.5pt;line-height:1.4}
main{max-width:none;padding:0}
h1{font-size:18pt}
h2{font-size:12.5pt;margin-top:16pt;break-after:avoid}
h3{break-after:avoid;margin-top:10pt}
h2+p,caption,thead,.lead,.lead p{break-after:avoid}
.lead{break-inside:avoid}
.sample tbody tr:first-child{break-after:avoid}
.sample tbody tr:last-child{break-before:avoid}
p,ul{max-width:none;orphans:3;widows:3}
a{text-decoration:none}
pre{border:1px solid var(--line);break-inside:avoid}
tr,li{break-inside:avoid}
th,td{padding-top:3.5pt;padding-bottom:3.5pt}
.sample th,.sample td{padding-top:1.5pt;padding-bottom:1.5pt}
.sample{font-size:8pt}
.sample th:nth-child(1),.sample th:nth-child(3){width:46pt}
.sample th:nth-child(2){width:56pt}
.sample th:nth-child(4){width:98pt}
.notice{background:#fff;color:#000;border:2px solid #000;margin-bottom:12pt}
.screen{display:none}
.together{break-inside:avoid}
.plot{height:46mm}
.grid{stroke-width:.5}
.series{stroke-width:1.25}
}
`;
