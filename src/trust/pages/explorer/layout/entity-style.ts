/** The style of the pages of receipts and agents, after that of every page of the explorer. */
export const ENTITY_STYLE = `
.lead .tag{vertical-align:.12em;margin-right:.35rem}
.halves.even{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.halves>*{min-width:0}
.card>*+.facts{margin-top:.75rem}
.halves h2:first-child,.halves h3:first-child,.halves>.captioned{margin-top:0}
.actions+p{margin-top:1rem}
.tree{width:100%;overflow:visible}
.tree text{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
.tree .code{fill:var(--ink);font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.tree .name{fill:var(--ink);font-size:13px;font-weight:600}
.branch{stroke:var(--edge);stroke-width:1}
.trunk{stroke:var(--accent);stroke-width:2.5}
.sibling{fill:var(--card);stroke:var(--edge);stroke-width:1.5}
.picture{margin:1.25rem 0;max-width:40rem}
.halves>.picture{margin:0}
.picture img{display:block;width:100%;height:auto}
.rates{height:9.5rem;padding-top:1rem;padding-left:4.4rem}
.plot .name{fill:var(--ink);font-weight:600}
.strip{height:auto;padding:0 .75rem 1.75rem}
.failed{fill:var(--card);stroke:var(--danger);stroke-width:2.5}
.legend.small{color:var(--soft)}
.key{display:inline-block;width:.8em;height:.8em;overflow:visible}
.score{font-size:1.1rem}
.score strong{font-size:2.6rem;letter-spacing:-.02em;line-height:1.1}
.agent{display:flex;gap:.75rem;align-items:center;min-width:0}
.agent small{display:block;white-space:nowrap;font-weight:400;color:var(--soft)}
.avatar{width:2.5rem;height:2.5rem;border-radius:6px;flex:none}
.meter{display:flex;gap:.6rem;align-items:center}
.meter svg{width:6rem;height:.5rem;border-radius:99px;overflow:hidden;flex:none}
.rest{fill:var(--chip)}
.ranks thead th{white-space:normal}
.agent a{overflow-wrap:anywhere}
.ranks thead th:first-child{width:4.5rem}
.list.small{font-size:.85rem}
.halves>p,.halves>.captioned{margin-top:0}
@media screen and (max-width:60rem){.meter svg{width:3.5rem}.ranks .number{padding-right:.75rem}.halves.even{grid-template-columns:minmax(0,1fr)}.halves>div>h2:first-child,.halves>div>h3:first-child{margin-top:1.25rem}}
@media screen and (max-width:44rem){.stacked .meter{display:inline-flex}.agent{padding:.2rem 0}}
`;
