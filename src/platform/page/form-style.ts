/**
 * The style of pages with forms, after that of every page. Controls have the contrast that WCAG 2.2 asks for:
 * 4.5:1 for texts, 3:1 for the edges of fields (1.4.11), and are at least 24 px high (2.5.8).
 */
export const FORM_STYLE = `
:root{--accent:#0a4f9e;--on-accent:#fff;--danger:#a1161c;--on-danger:#fff;--edge:#767d87;--card:#fff;--ground:#f6f7f9;
--chip:#edeff2;--good-back:#e8f5ec;--good-ink:#14522f;--bad-back:#fdecec;--bad-ink:#8a1014;--warn-back:#fff3dc;--warn-ink:#6b3f00;--info-back:#e9f1fb;--info-ink:#0b3f7d}
@media (prefers-color-scheme:dark){:root{--accent:#8bbcff;--on-accent:#0c1a2b;--danger:#ff9b96;--on-danger:#2b0708;--edge:#8b939e;--card:#1a1e23;--ground:#121518;
--chip:#2b3138;--good-back:#12301f;--good-ink:#8fe0ae;--bad-back:#3a1517;--bad-ink:#ffb3af;--warn-back:#38280c;--warn-ink:#f6cf8d;--info-back:#132840;--info-ink:#a9ceff}}
html{background:var(--ground)}
main{padding-top:1.5rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-100vw;top:.5rem;background:var(--card);color:var(--ink);padding:.5rem 1rem;z-index:1}
.skip:focus{left:.5rem}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.top>div{max-width:72rem;margin:0 auto;padding:.7rem 1.25rem;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem}
.brand{font-weight:700;letter-spacing:-.01em;color:var(--ink);text-decoration:none;display:inline-flex;align-items:center;gap:.5rem;margin-right:auto}
.brand svg{width:1.35em;height:1.35em;color:var(--accent)}
.tick{stroke:var(--card);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.top nav{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.94rem}
.top nav a{color:var(--soft);text-decoration:none;padding:.2rem 0}
.top nav a[aria-current]{color:var(--ink);font-weight:600}
.top nav a:hover{color:var(--ink);text-decoration:underline}
.top form{margin:0}
.narrow{max-width:30rem;margin:0 auto;padding-top:1.5rem}
.middle{max-width:40rem;margin:0 auto}
.small{font-size:.88rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.25rem 1.5rem;margin:1.25rem 0}
.card h2{font-size:1.15rem;margin-bottom:.25rem}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
.card>table:first-child thead th{padding-top:0}
.card>:is(h2,p)+:is(.field,form){margin-top:1rem}
.card pre{background:var(--ground);line-break:anywhere}
.identifier{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:1.35rem;letter-spacing:-.02em;overflow-wrap:anywhere}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.9rem;margin:1.25rem 0;padding:0}
.tiles>div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 1.1rem}
.tiles dt{color:var(--soft);font-size:.88rem}
.tiles dd{margin:.1rem 0 0;font-size:1.45rem;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums;line-height:1.25;overflow-wrap:anywhere}
.tiles dd.word{font-size:1.1rem;line-height:1.65}
.tiles dd small{display:block;font-size:.82rem;font-weight:400;letter-spacing:0;color:var(--soft)}
.tag{display:inline-block;padding:.08rem .5rem;border-radius:99px;font-size:.8rem;font-weight:600;line-height:1.5;background:var(--chip);color:var(--ink);white-space:nowrap}
.tag.good{background:var(--good-back);color:var(--good-ink)}
.tag.bad{background:var(--bad-back);color:var(--bad-ink)}
.tag.warn{background:var(--warn-back);color:var(--warn-ink)}
.tag.info{background:var(--info-back);color:var(--info-ink)}
.alert{border-radius:10px;padding:.9rem 1.15rem;margin:1.25rem 0;background:var(--info-back);color:var(--info-ink);border:1px solid transparent}
.alert a{color:inherit}
.alert p,.alert ul{max-width:none}
.alert>:first-child{margin-top:0}
.alert>:last-child{margin-bottom:0}
.alert.good{background:var(--good-back);color:var(--good-ink)}
.alert.bad{background:var(--bad-back);color:var(--bad-ink)}
.alert.warn{background:var(--warn-back);color:var(--warn-ink)}
label,legend{display:block;font-weight:600;padding:0;margin:0 0 .25rem}
fieldset{border:0;padding:0;margin:0;min-width:0}
.field{margin:0 0 1rem}
.field>.hint{margin:.25rem 0 0}
.hint{color:var(--soft);font-size:.88rem}
.problem{color:var(--danger);font-size:.92rem;font-weight:600;margin:.25rem 0 0}
input:not([type]),input[type=text],input[type=password],input[type=url],input[type=email],select{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--edge);border-radius:6px;
padding:.5rem .65rem;width:100%;max-width:34rem;min-height:2.6rem}
input[aria-invalid=true]{border-color:var(--danger);border-width:2px}
input.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.9rem}
input[type=checkbox],input[type=radio]{width:1.1rem;height:1.1rem;margin:.2rem .55rem .2rem 0;accent-color:var(--accent);flex:none}
.choice{display:flex;align-items:flex-start;font-weight:400;margin:.15rem 0;padding:.15rem 0}
.choice small{color:var(--soft);font-size:.88rem;display:block}
.amount{display:flex;align-items:center;max-width:14rem}
.amount>span{color:var(--soft);padding-right:.5rem}
button,.button{font:inherit;font-weight:600;line-height:1.25;display:inline-block;padding:.55rem 1.05rem;min-height:2.4rem;border-radius:6px;border:1px solid var(--edge);background:var(--card);color:var(--ink);
cursor:pointer;text-decoration:none;text-align:center}
button:hover,.button:hover{background:var(--panel)}
button.primary,.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.danger,.button.danger{background:var(--danger);border-color:var(--danger);color:var(--on-danger)}
button.primary:hover,.button.primary:hover,button.danger:hover,.button.danger:hover{filter:brightness(1.12)}
button.slim,.button.slim{padding:.28rem .7rem;min-height:2rem;font-size:.9rem;font-weight:500}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:1rem 0 0}
.actions form{margin:0}
.filters{align-items:end}
.actions label{margin:0;font-weight:400}
td .actions{margin:0;flex-wrap:nowrap;justify-content:flex-end}
.card>details.add:last-child{border-top:1px solid var(--line);margin:1rem -1.5rem -1.25rem;padding:0 1.5rem}
details.add>summary{cursor:pointer;font-weight:600;color:var(--link);padding:.9rem 0;width:fit-content}
details.add>div{padding:.35rem 0 1.25rem}
details.add>div>:first-child{margin-top:0}
textarea.secret{display:block;width:100%;min-height:2.6rem;field-sizing:content;resize:none;background:var(--panel);color:var(--ink);border:1px solid var(--edge);border-radius:6px;padding:.6rem .75rem;
font:.92rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;word-break:break-all}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:0 2rem}
.list{margin-bottom:0}
.list td,.list th{vertical-align:middle}
.list tr:last-child>*{border-bottom:0}
.list .end{text-align:right}
.list th .hash{font-weight:400}
.name{overflow-wrap:anywhere}
.foot{color:var(--soft);font-size:.88rem;margin-top:2rem}
.page{max-width:none;color:var(--soft);margin:.6rem 0 0;font-size:.92rem}
@media screen and (max-width:60rem){
.tight,.tight tbody,.tight tr{display:block}
.tight thead{display:none}
.tight tr{position:relative;border-bottom:1px solid var(--line);padding:.7rem 0}
.tight tr:last-child{border-bottom:0;padding-bottom:0}
.tight tr:has(.end){padding-right:7.5rem}
.card>.stacked:first-child tr:first-child{padding-top:0}
.tight.list :is(th,td){display:inline-block;border:0;padding:.1rem 1.25rem .1rem 0;text-align:left}
.tight.list .end{position:absolute;right:0;top:.7rem;padding:0}
.tiles>div{padding:.8rem}
.tiles dd{font-size:1.3rem}
.tiles dd.word{font-size:1rem;line-height:1.65}
.tight td[data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
}
@media screen and (max-width:44rem){
main{padding-top:.75rem}
.identifier{font-size:1.05rem}
.top>div{padding:.6rem 1rem}
.card{padding:1rem 1.05rem;margin:1rem 0}
.card>details.add:last-child{margin:1rem -1.05rem -1rem;padding:0 1.05rem}
.top nav{order:3;width:100%;justify-content:space-between;gap:.25rem .5rem}
.tiles>div:last-child:nth-child(odd){grid-column:1/-1}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:.6rem}
.tiles>div{padding:.7rem .8rem}
.tiles dd{font-size:1.2rem}
.stacked.list td{padding-right:1.1rem}
.stacked.list td:not(.end){display:inline-block}
.stacked.list :is(th,td:last-child){padding-right:0}
.tight tr:has(.end){padding-right:0}
.stacked.list .end{position:static;display:block;text-align:left;padding-top:.5rem}
td .actions{justify-content:flex-start}
.stacked.list tr:last-child{border-bottom:0;padding-bottom:0}
}
@media print{
:root{--accent:#000;--danger:#000;--edge:#777;--card:#fff;--ground:#fff;--chip:#fff;--good-back:#fff;--good-ink:#000;--bad-back:#fff;--bad-ink:#000;--warn-back:#fff;--warn-ink:#000;--info-back:#fff;--info-ink:#000}
main{padding-top:1rem}
.top>div{padding:.4rem 0}
.top nav,.top form,button,.button,details.add{display:none}
.tag,.alert{border:1px solid}
.card{padding:.75rem 1rem}
.tight .hash{overflow-wrap:normal}
.tiles>div{break-inside:avoid}
}
`;
