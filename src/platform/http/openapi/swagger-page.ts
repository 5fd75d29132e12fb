import { ICON_URL } from '../icon.ts';
import { type Demonstration, noticeOf } from './demonstration.ts';

/** The script that switches Swagger UI's dark mode on and off with the system's. */
export const THEME = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/**
 * The styles after Swagger UI's own. They remove its white frame and the column of links, which our documents
 * do not have, keep the page within 390 px, and raise the contrast of colors below 4.5 to 1 (WCAG 2.2,
 * 1.4.3).
 */
export const THEME_CSS = `body { margin: 0; }
.demonstration { margin: 0; padding: 8px 16px; background: #7a3e00; color: #fff; font: 600 16px sans-serif; text-align: center; }
.swagger-ui .info { margin: 32px 0; }
.swagger-ui .scheme-container { margin: 0 0 16px; padding: 16px 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .operation-filter label { display: block; font: 600 14px sans-serif; color: #3b4151; }
.swagger-ui .operation-filter input { display: block; box-sizing: border-box; width: 100%; max-width: none; margin: 4px 0 8px; padding: 8px 10px; border: 2px solid #7d8492; font: 14px sans-serif; }
.swagger-ui .operation-filter p { margin: 8px 0; font: 14px sans-serif; color: #3b4151; }
.swagger-ui .renderedMarkdown li { margin: 4px 0; font-size: 14px; }
.swagger-ui .closed-headers summary { padding: 8px 0; cursor: pointer; font: 600 12px sans-serif; color: #3b4151; }
.swagger-ui .closed-headers .headers__title { display: none; }
.swagger-ui .responses-table .response-col_status { width: 60px; min-width: 0; }
.swagger-ui .responses-table .response-col_description { width: auto; }
.swagger-ui .response.is-closed td { padding-bottom: 0; }
.swagger-ui .response.is-closed .renderedMarkdown p { margin: 0 0 4px; }
.swagger-ui .error-sample td { padding: 0 0 10px; }
.swagger-ui .error-sample button { padding: 3px 10px; border: 1px solid #7d8492; border-radius: 4px; background: none; font: 600 12px sans-serif; color: #3b4151; cursor: pointer; }
html.dark-mode .swagger-ui :is(.operation-filter label, .operation-filter p, .closed-headers summary, .error-sample button) { color: #e4e6e6; }
html.dark-mode .swagger-ui table.headers td { color: #e4e6e6; }
html.dark-mode .swagger-ui .try-out .btn.try-out__btn.cancel { border-color: #ff8a80; color: #ff8a80; }
html.dark-mode .swagger-ui .microlight span[style*='211, 99, 99'] { color: #ff8a80 !important; }
@media (max-width: 640px) {
  .swagger-ui :is(.wrapper, .scheme-container .schemes) { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 26px; overflow-wrap: anywhere; }
  .swagger-ui .renderedMarkdown { overflow-wrap: anywhere; }
  .swagger-ui .renderedMarkdown code { white-space: normal; }
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; font-size: 20px; }
  .swagger-ui .opblock-tag small { grid-area: 2 / 1 / 3 / 3; padding: 0; }
  .swagger-ui .opblock-tag button { grid-area: 1 / 2; }
  .swagger-ui .responses-table { table-layout: fixed; }
  .swagger-ui .responses-table .response-col_status { width: 44px; }
}
`;

/**
 * The plugin of the page.
 *
 * - `opsFilter` searches the words of method, path, summary, operationId and group, in any order. While
 *   something is searched, groups are open unless they were closed by hand.
 * - Headers of responses, and samples of errors, open when asked for: they were four fifths of the height of
 *   an operation with nine errors.
 * - Every form of "Authorize" takes the focus when it is drawn, so the last one gets it. The first one, which
 *   most users need, takes it back.
 */
const PLUGIN = `const Plugin = ({ React }) => {
  const h = React.createElement;
  const isSearch = (filter) => typeof filter === 'string' && filter.trim() !== '';
  const wordsOf = (operation, group) =>
    [
      operation.get('method'),
      operation.get('path'),
      operation.getIn(['operation', 'summary']),
      operation.getIn(['operation', 'operationId']),
      group,
    ].join(' ').toLowerCase();
  const opsFilter = (groups, filter) => {
    const words = filter.trim().toLowerCase().split(/\\s+/);
    const matches = (group) => (operation) => words.every((word) => wordsOf(operation, group).includes(word));
    return groups
      .map((content, group) => content.update('operations', (all) => all.filter(matches(group))))
      .filter((content) => content.get('operations').size > 0);
  };
  const FilterContainer = ({ layoutSelectors, layoutActions, specSelectors }) => {
    const current = layoutSelectors.currentFilter();
    const filter = typeof current === 'string' ? current : '';
    const isEmpty = isSearch(filter) && specSelectors.taggedOperations().size === 0;
    const onChange = (event) => layoutActions.updateFilter(event.target.value);
    const placeholder = 'Words of its name, path or group';
    return h('div', { className: 'operation-filter wrapper' },
      h('label', null, 'Find an operation', h('input', { type: 'search', placeholder, value: filter, onChange })),
      h('p', { role: 'status' }, isEmpty ? 'No operation matches.' : null));
  };
  const ClosedHeaders = (Original) => (props) =>
    h('details', { className: 'closed-headers' }, h('summary', null, 'Headers'), h(Original, props));
  const ClosedErrors = (Original) => (props) => {
    const [isOpen, setOpen] = React.useState(false);
    if (!/^[45]/.test(props.code)) return h(Original, props);
    const response = isOpen ? props.response : props.response.delete('content').delete('headers');
    const className = props.className + (isOpen ? '' : ' is-closed');
    const toggle = { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) };
    return h(React.Fragment, null,
      h(Original, { ...props, response, className }),
      h('tr', { className: 'error-sample' },
        h('td'),
        h('td', null, h('button', toggle, isOpen ? 'Hide the sample' : 'Show a sample'))));
  };
  const CursorInFirstForm = (Original) => (props) => {
    React.useEffect(() => document.querySelector('.auth-container input')?.focus(), []);
    return h(Original, props);
  };
  // Swagger UI has bound \`original\` to the state already.
  const isShown = (original, { layoutSelectors }) => (_, thing, fallback) => {
    const isFound = thing[0] === 'operations-tag' && isSearch(layoutSelectors.currentFilter());
    return original(thing, isFound || fallback);
  };
  return {
    fn: { opsFilter },
    components: { FilterContainer },
    wrapComponents: { headers: ClosedHeaders, response: ClosedErrors, authorizationPopup: CursorInFirstForm },
    statePlugins: { layout: { wrapSelectors: { isShown } } },
  };
};
`;

/**
 * Returns the script that starts Swagger UI. A write with a session cookie needs the header X-Requested-With.
 */
const startWith = (at: string, options: string): string => `${PLUGIN}window.ui = SwaggerUIBundle({
  plugins: [Plugin],
  url: '${at}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const isOwn = new URL(request.url, location.href).origin === location.origin;
    if (isOwn) request.headers['X-Requested-With'] = 'SwaggerUI';
    return request;
  },
${options}});
`;

/**
 * Returns the script that starts the page of a document. In a demonstration it fills in "Authorize" when the
 * document with the security schemes is loaded. Then it stores nothing for a later service at the same
 * address, and uses nothing from an earlier one, whose key may be secret.
 * @param at the path before `/swagger` and `/openapi.json`
 */
export function startScript(at: string, demonstration: Demonstration | null): string {
  if (demonstration === null) return startWith(at, '  persistAuthorization: true,\n');
  return startWith(
    at,
    `  onComplete: () => {
    for (const [name, token] of Object.entries(${JSON.stringify(demonstration.authorized)})) {
      window.ui.preauthorizeApiKey(name, token);
    }
  },
`,
  );
}

/** Returns the page of a document. @param at the path before `/swagger` and `/openapi.json` */
export function pageOf(at: string, title: string, demonstration: Demonstration | null): string {
  const notice = noticeOf(demonstration);
  const banner = notice === null ? '' : `    <p class="demonstration" role="note">${notice}</p>\n`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="${ICON_URL}">
    <script src="/swagger/theme.js"></script>
    <link rel="stylesheet" href="/swagger/swagger-ui.css">
    <link rel="stylesheet" href="/swagger/theme.css">
  </head>
  <body>
${banner}    <div id="swagger-ui"></div>
    <script src="/swagger/swagger-ui-bundle.js"></script>
    <script src="${at}/swagger/start.js"></script>
  </body>
</html>
`;
}
