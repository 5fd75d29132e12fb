/** The style of the verifier page, after those of every page and of pages with forms. */
export const VERIFY_STYLE = `
main{max-width:52rem}
.lead{font-size:1.08rem}
.drop{background:var(--card);border:2px dashed var(--edge);border-radius:10px;padding:1.25rem 1.5rem;margin:1.25rem 0}
.over .drop{border-color:var(--accent);background:var(--info-back)}
.drop .field:last-child{margin-bottom:0}
.drop .field+.field{margin-top:1.25rem}
input[type=file]{font:inherit;color:var(--ink);max-width:100%;width:100%;padding:.4rem 0;min-height:2.6rem}
input[type=file]::file-selector-button{font:inherit;font-weight:600;padding:.55rem 1.05rem;margin-right:.8rem;border-radius:6px;border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);cursor:pointer}
textarea{display:block;width:100%;min-height:3.2rem;resize:vertical;background:var(--paper);color:var(--ink);border:1px solid var(--edge);border-radius:6px;padding:.5rem .65rem;
font:.88rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem 1rem;min-height:2.4rem}
.bar p{margin:0}
.bar:has(#status:empty){min-height:0}
#start:has(#status:empty):has(#results:empty) h2{display:none}
#status{font-weight:600}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .75rem}
.head h3{margin:0;overflow-wrap:anywhere;min-width:0}
.head button{margin-left:auto}
.card .sentence{font-size:1.05rem;max-width:none;overflow-wrap:anywhere}
.card h4{font-size:.94rem;margin:1.1rem 0 .2rem}
.card li{overflow-wrap:anywhere}
.checks{list-style:none;padding:0}
.checks .good{color:var(--satisfied)}
.checks .bad{color:var(--danger);font-weight:600}
.checks .open{color:var(--soft)}
.card details{margin-top:1rem}
.card summary{cursor:pointer;color:var(--link);width:fit-content}
pre{max-height:24rem;overflow:auto}
.served{background:var(--warn-back);color:var(--warn-ink);margin:0;max-width:none;padding:.6rem 1rem;text-align:center}
.served a{color:inherit}
[hidden]{display:none}
@media screen and (max-width:44rem){.drop{padding:1rem 1.05rem}}
@media print{.drop,.head button,.bar button{display:none}}
`;
