import { expect } from 'bun:test';

/**
 * The elements that a page may contain. None of them can run, load or send anything but `link`, which only
 * has an icon in itself.
 */
const ELEMENTS = new Set(
  (
    'html head meta title link style body main header section h1 h2 h3 p ul ol li dl dt dd table caption thead tbody tr th td ' +
    'strong span bdi br a pre time div figure figcaption svg defs pattern path circle rect line text'
  ).split(' '),
);

/** What pages with forms may contain besides. */
const FORM_ELEMENTS = new Set(
  'nav form input label button select option fieldset legend details summary small code header footer textarea bdi'.split(
    ' ',
  ),
);

/** What of an HTML page a test looks at. */
export interface SeenPage {
  /** The number of elements by name. */
  elements: Map<string, number>;
  /** The targets of all links except downloads. */
  links: string[];
  /** The texts that downloads contain, by the name of the file. */
  downloads: Map<string, string>;
  ids: string[];
}

/**
 * Parses a page with the parser of the runtime. Checks that it has only harmless elements and attributes.
 * @param hasForms whether it may contain forms, which must send to this origin
 * @param script the path of the only script that it may load
 */
export async function seenPage(
  text: string,
  hasForms = false,
  script: string | null = null,
): Promise<SeenPage> {
  const seen: SeenPage = { elements: new Map(), links: [], downloads: new Map(), ids: [] };
  const wrong: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      seen.elements.set(tagName, (seen.elements.get(tagName) ?? 0) + 1);
      const all = new Map([...attributes].map(([name = '', value = '']) => [name, value]));
      if (tagName === 'img') {
        // A picture is in the page, and has a text alternative.
        if (!/^data:image\/svg\+xml;base64,[\w+/=]+$/.test(all.get('src') ?? ''))
          wrong.push(`img ${all.get('src')}`);
        if ((all.get('alt') ?? '') === '') wrong.push('img without alt');
        all.delete('src');
      } else if (tagName === 'script' && script !== null) {
        if (all.get('src') !== script) wrong.push(`script ${all.get('src')}`);
        all.delete('src');
      } else if (!ELEMENTS.has(tagName) && !(hasForms && FORM_ELEMENTS.has(tagName))) wrong.push(tagName);
      for (const name of all.keys()) if (/^on|^(src|srcset|style|xlink:href)$/.test(name)) wrong.push(name);
      const action = all.get('action');
      if (tagName === 'form' && (action === undefined || !/^\/(?!\/)/.test(action)))
        wrong.push(`action ${action}`);
      if (all.has('formaction')) wrong.push('formaction');
      const href = all.get('href');
      const download = all.get('download');
      const id = all.get('id');
      if (id !== undefined) seen.ids.push(id);
      if (href === undefined) return;
      if (download !== undefined) {
        const [, data = ''] = /^data:application\/json;base64,([\w+/=]+)$/.exec(href) ?? [];
        if (data === '') wrong.push(href);
        seen.downloads.set(download, Buffer.from(data, 'base64').toString('utf8'));
      } else if (tagName === 'link') {
        if (!href.startsWith('data:image/svg+xml,')) wrong.push(href);
      } else if (all.get('rel') === 'noreferrer') {
        // A document of the payment processor, which the page names.
        if (!/^https:\/\/[\x21-\x7e]+$/.test(href)) wrong.push(href);
      } else {
        if (!/^[/#](?!\/)/.test(href)) wrong.push(href);
        seen.links.push(href);
      }
    },
  });
  await rewriter.transform(new Response(text)).text();
  expect(wrong).toEqual([]);
  expect(text.isWellFormed()).toBe(true);
  return seen;
}
