import { TIMELINE_STYLE } from '../../parts/timeline.ts';

/** The style of the explorer, after those of every page and of pages with forms. */
export const EXPLORER_STYLE = `
html{overflow-y:scroll}
body{display:flex;flex-direction:column;min-height:100vh}
main{width:100%;flex:1;padding-bottom:3rem}
.find{display:flex;gap:.4rem;flex:1 1 12rem;min-width:0;max-width:26rem;margin:0 auto 0 0}
.find input{font:inherit;font-size:.94rem;color:var(--ink);background:var(--paper);border:1px solid var(--edge);border-radius:6px;padding:.25rem .6rem;min-height:2rem;min-width:0;flex:1}
.brand{margin-right:0}
.top nav{margin-left:auto}
.list :is(td,th).number:not(:last-child){padding-right:1.5rem}
.foot{border-top:1px solid var(--line);font-size:.88rem;color:var(--soft)}
.foot>div{max-width:72rem;margin:0 auto;padding:1rem 1.25rem 1.5rem;display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 2rem}
.foot p{margin:0;max-width:none;overflow-wrap:anywhere}
.foot p+p{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem}
.foot a{color:inherit}
h1+.empty{margin-top:1rem}
.lead{font-size:1.08rem;max-width:50rem}
.scroll{overflow-x:auto;position:relative}
.halves{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,1fr);gap:1.25rem}
.plain{max-width:none;list-style:none;padding:0;margin:.5rem 0 0}
.plain li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.3rem 0;border-bottom:1px solid var(--line);margin:0}
.plain li:last-child{border-bottom:0}
.plain small{flex-basis:100%}
.plain .end{font-variant-numeric:tabular-nums}
.halves .plot{height:17.5rem}
.ways{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 1.25rem}
.ways .first{grid-row:span 2}
.ways .card:last-child{grid-column:1/-1}
.ways .card{margin-top:.25rem}
.ways h3{margin:0;font-size:1.05rem}
.ways pre{font-size:.8rem}
.goto{display:flex;align-items:center;gap:.5rem;margin:.5rem 0 1rem}
.goto label{margin:0}
.goto input{width:9rem;min-height:2rem;padding:.25rem .6rem}
@media (min-width:60rem){.entries th.number{width:6rem}}
.chosen{background:var(--info-back)}
.chosen.raw td{padding:.25rem .75rem .75rem}
.matrix{width:auto}
.matrix th,.matrix td{text-align:center;padding:.35rem .6rem}
.matrix th:first-child{text-align:left;padding-left:0;min-width:9rem;max-width:20rem;overflow-wrap:anywhere}
.matrix thead th{font-size:.85rem}
.matrix .yes{color:var(--satisfied)}
.matrix .no{color:var(--soft)}
.several a{margin-right:1rem}
.values small{display:block;font-weight:400}
.values th{width:24%}
@media screen and (max-width:44rem){.values th{width:auto}.stacked.values td:not(.none){display:block}.stacked.values td.none{display:none}.values td small{display:inline-block}}
${TIMELINE_STYLE}.parties{margin:0}
.parties dt{color:var(--soft)}
.parties dd{margin:0 0 1rem;overflow-wrap:anywhere}
.parties dd:last-child{margin-bottom:0}
.parties strong,.parties small{display:block}
@media screen and (max-width:60rem){.halves,.ways{grid-template-columns:minmax(0,1fr)}}
@media screen and (max-width:44rem){
.find{order:2;flex-basis:100%;max-width:none}
.find input{min-height:2.4rem}
.foot>div{padding:1rem}
.foot a{display:inline-block;padding:.15rem 0}
}
@media print{.find,.goto,.foot p+p{display:none}.halves{grid-template-columns:1fr 1fr}.foot>div{padding:.5rem 0}.top{border-bottom:1px solid var(--line)}body{display:block}}
`;
