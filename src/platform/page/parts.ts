import type { Issues } from '../http/errors/errors.ts';
import { type Content, type Html, html } from './html.ts';

/** The meaning of a tag or an alert, which its words say too. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | '';

/** Returns a short word on a colored ground. */
export function tag(text: string, tone: Tone = ''): Html {
  return html`<span class="tag ${tone}">${text}</span>`;
}

/** Returns a message that stands out. Screen readers say a bad one first. */
export function alert(tone: Tone, content: Content): Html {
  return tone === 'bad'
    ? html`<div class="alert bad" role="alert">${content}</div>\n`
    : html`<div class="alert ${tone}" role="status">${content}</div>\n`;
}

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  value?: string;
  type?: 'text' | 'password' | 'url' | 'email';
  hint?: Content;
  required?: boolean;
  /** Whether it takes codes, which are shown in a monospaced font and not checked for spelling. */
  isCode?: boolean;
  maxLength?: number;
  inputMode?: 'decimal' | 'url';
  placeholder?: string;
}

/** Returns a text field with its label, hint and problems. */
export function textField(field: Field, issues: Issues = {}): Html {
  const { name, label, value = '', type = 'text', hint = null, required = false, isCode = false } = field;
  const problems = Object.hasOwn(issues, name) ? (issues[name] ?? []) : [];
  const id = `field-${name}`;
  const described = [
    hint === null ? [] : [`${id}-hint`],
    problems.length === 0 ? [] : [`${id}-problem`],
  ].flat();
  const attributes = [
    described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : null,
    problems.length > 0 ? html` aria-invalid="true"` : null,
    required ? html` required` : null,
    isCode ? html` class="code" spellcheck="false" autocapitalize="off"` : null,
    field.maxLength === undefined ? null : html` maxlength="${field.maxLength}"`,
    field.inputMode === undefined ? null : html` inputmode="${field.inputMode}"`,
    field.placeholder === undefined ? null : html` placeholder="${field.placeholder}"`,
  ];
  return html`<div class="field">
<label for="${id}">${label}</label>
<input type="${type}" id="${id}" name="${name}" value="${value}" autocomplete="off"${attributes}>
${problems.length > 0 ? html`<p class="problem" id="${id}-problem">${sentenceOf(label, problems)}</p>\n` : null}${
  hint === null ? null : html`<p class="hint" id="${id}-hint">${hint}</p>\n`
}</div>
`;
}

/** A choice of a group. */
export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

/** Returns a group of choices: `radio` for one of them, `checkbox` for several. */
export function choices(
  {
    name,
    legend,
    type,
    options,
  }: { name: string; legend: string; type: 'radio' | 'checkbox'; options: readonly Choice[] },
  chosen: readonly string[],
  issues: Issues = {},
): Html {
  const problems = Object.hasOwn(issues, name) ? (issues[name] ?? []) : [];
  return html`<fieldset class="field"${problems.length > 0 ? html` aria-describedby="field-${name}-problem"` : null}>
<legend>${legend}</legend>
${options.map(
  ({
    value,
    label,
    hint,
  }) => html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${
    chosen.includes(value) ? html` checked` : null
  }><span>${label}${hint === undefined ? null : html`<small>${hint}</small>`}</span></label>
`,
)}${problems.length > 0 ? html`<p class="problem" id="field-${name}-problem">${sentenceOf(legend, problems)}</p>\n` : null}</fieldset>
`;
}

/** Returns a secret that is shown once, in a field from which it can be copied with the keyboard. */
export function secretField(name: string, label: string, secret: string): Html {
  return html`<div class="field"><label for="secret-${name}">${label}</label>
<textarea id="secret-${name}" class="secret" rows="2" readonly autocomplete="off" spellcheck="false">${secret}</textarea></div>
`;
}

/** Problems begin with a verb, such as "must have", so the field is named before. */
function sentenceOf(label: string, problems: readonly string[]): string {
  return problems.map((problem) => `${label} ${problem}.`).join(' ');
}
