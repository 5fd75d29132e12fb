/** The style of the search form, its suggestions and the results, after that of every page with forms. */
export const SEARCH_STYLE = `
.search .row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:0 1.25rem}
.search input:not([type=checkbox]),.search select{max-width:none}
.search details{margin:0}
.search details>summary{cursor:pointer;color:var(--link);font-weight:600;padding:.35rem 0;width:fit-content}
.search details>.row{padding-top:.6rem}
.search .choice{margin:.1rem 0 .6rem}
.combo{position:relative}
.options{position:absolute;left:0;right:0;top:100%;z-index:2;margin:.2rem 0 0;padding:.25rem;list-style:none;max-width:none;background:var(--card);border:1px solid var(--edge);border-radius:8px;
box-shadow:0 6px 20px rgb(0 0 0/.18);max-height:19rem;overflow:auto}
.options li{margin:0;padding:.45rem .6rem;border-radius:5px;cursor:pointer;display:flex;flex-wrap:wrap;gap:0 .75rem;justify-content:space-between;overflow-wrap:anywhere}
.options li span{color:var(--soft);font-size:.88rem}
.options li[aria-selected=true],.options li:hover{background:var(--accent);color:var(--on-accent)}
.options li[aria-selected=true] span,.options li:hover span{color:inherit}
.results h2{margin:1.75rem 0 .2rem}
.results h2:focus{outline:none}
.results .list th,.results .list td{padding-top:.5rem;padding-bottom:.5rem;vertical-align:top}
.results th .soft{font-weight:400}
.pages{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:1rem 0 0}
.pages span{color:var(--soft);margin-right:auto}
.links{display:flex;flex-wrap:wrap;gap:.4rem .5rem;list-style:none;padding:0;max-width:none}
.links a{display:inline-block;padding:.3rem .75rem;border-radius:99px;border:1px solid var(--edge);text-decoration:none;background:var(--card);color:var(--link)}
.links a:hover{text-decoration:underline}
@media screen and (max-width:44rem){
.results .list tr{padding:.6rem 0}
.results .list :is(th,td){padding-top:.1rem;padding-bottom:.1rem}
}
`;
