/** The style of plots of counts and of the tables behind them, after that of pages with forms. */
export const PLOT_STYLE = `
.card>.captioned:first-of-type{margin-top:0}
.filled{fill:var(--accent)}
.wide{padding-left:5rem}
.series{stroke:var(--accent);stroke-width:2}
.behind{font-size:.9rem;margin:.25rem 0 0}
.behind>summary{cursor:pointer;color:var(--link);width:fit-content}
.pair,.halves{margin:1.25rem 0}
.pair>.card,.halves>.card{margin:0}
@media (min-width:60rem){.pair figcaption{min-height:3em}}
@media print{:is(.pair,.halves) .minor{display:none}}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:1.25rem}
@media print{.behind{display:none}}
`;
