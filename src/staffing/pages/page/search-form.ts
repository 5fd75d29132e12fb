import type { Issues } from '../../../platform/http/errors/errors.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import type { Entered } from '../entered.ts';
import { STATE_NAMES } from './states.ts';

/** A text field of the search form. */
interface SearchText {
  name: 'surname' | 'first_name' | 'specialty' | 'city' | 'postal_code';
  label: string;
  placeholder?: string;
  hint?: string;
  hasSuggestions?: true;
  isNumber?: true;
}

/**
 * Returns the search form with what was entered, and the problems at its fields. It works without the script.
 */
export function searchForm(entered: Entered, issues: Issues): Html {
  const text = (field: SearchText): Html => searchField(field, entered, issues);
  const isOpen = [entered.first_name, entered.city, entered.postal_code, entered.match].some(
    (value) => value !== undefined,
  );
  return html`<form role="search" aria-label="Clinicians" action="/#results" class="card search">
<div class="row">
${text({ name: 'surname', label: 'Surname or NPI', placeholder: "O'Brien", hasSuggestions: true })}${text({
  name: 'specialty',
  label: 'Specialty',
  placeholder: 'ICU nurse',
  hasSuggestions: true,
})}${stateField(entered, issues)}</div>
<details${isOpen ? html` open` : null}><summary>More filters</summary>
<div class="row">
${text({ name: 'first_name', label: 'First name begins with' })}${text({ name: 'city', label: 'City' })}${text(
  {
    name: 'postal_code',
    label: 'ZIP code',
    hint: '5 digits, or the first 3',
    isNumber: true,
  },
)}</div>
<label class="choice"><input type="checkbox" name="match" value="exact"${
    entered.match === 'exact' ? html` checked` : null
  }><span>Whole surnames only<small>Else surnames that begin with the text</small></span></label>
</details>
<p class="actions"><button class="primary">Search</button> <a class="button" href="/">Clear</a></p>
</form>
`;
}

function searchField(
  { name, label, placeholder, hint, hasSuggestions, isNumber }: SearchText,
  entered: Entered,
  issues: Issues,
): Html {
  const id = `field-${name}`;
  const { isInvalid, text } = problemAt(name, id, label, issues);
  const describedBy = [hint === undefined ? [] : [`${id}-hint`], isInvalid ? [`${id}-problem`] : []].flat();
  const attributes = [
    placeholder === undefined ? null : html` placeholder="${placeholder}"`,
    hasSuggestions ? html` data-suggestions="${name}"` : null,
    isNumber ? html` inputmode="numeric"` : null,
    isInvalid ? html` aria-invalid="true"` : null,
    describedBy.length > 0 ? html` aria-describedby="${describedBy.join(' ')}"` : null,
  ];
  return html`<div class="field"><label for="${id}">${label}</label>
<div class="combo"><input type="text" id="${id}" name="${name}" value="${entered[name] ?? ''}" maxlength="200" autocomplete="off" spellcheck="false"${attributes}></div>
${text}${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>\n`}</div>
`;
}

function stateField({ state = '' }: Entered, issues: Issues): Html {
  const { isInvalid, text } = problemAt('state', 'field-state', 'State', issues);
  const options = Object.entries(STATE_NAMES).map(
    ([code, name]) =>
      html`<option value="${code}"${code === state.toUpperCase() ? html` selected` : null}>${name}</option>\n`,
  );
  return html`<div class="field"><label for="field-state">State</label>
<select id="field-state" name="state"${isInvalid ? html` aria-invalid="true" aria-describedby="field-state-problem"` : null}><option value="">Any</option>
${options}</select>
${text}</div>
`;
}

function problemAt(name: string, id: string, label: string, issues: Issues) {
  const problems = Object.hasOwn(issues, name) ? (issues[name] ?? []) : [];
  if (problems.length === 0) return { isInvalid: false, text: null };
  return {
    isInvalid: true,
    text: html`<p class="problem" id="${id}-problem">${problems.map((problem) => `${label} ${problem}.`).join(' ')}</p>\n`,
  };
}
