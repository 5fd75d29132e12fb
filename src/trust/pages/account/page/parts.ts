import { type Html, html } from '../../../../platform/page/html.ts';
import { alert } from '../../../../platform/page/parts.ts';
import type { Problem } from '../problem.ts';
import type { Visitor } from '../response.ts';

/** Returns the field that proves that a form is from a page of this session. */
export function csrfField({ csrfToken }: Visitor): Html {
  return html`<input type="hidden" name="csrf_token" value="${csrfToken}">`;
}

/**
 * Returns the alert of a form that was refused.
 * @param shown the fields of the form, which show their own problems
 */
export function problemAlert(problem: Problem | null, shown: readonly string[]): Html | null {
  if (problem === null) return null;
  const hiddenFields = Object.entries(problem.issues).filter(([name]) => !shown.includes(name));
  const isAtFields = hiddenFields.length < Object.keys(problem.issues).length;
  const text = isAtFields
    ? 'Nothing was changed. Correct the marked fields, and send the form again.'
    : problem.message;
  const list = hiddenFields.map(
    ([name, problems]) => html`<li><code>${name}</code> ${problems.join(', ')}</li>\n`,
  );
  return alert('bad', html`<p>${text}</p>${list.length > 0 ? html`<ul>${list}</ul>` : null}`);
}

/** Returns the button of a form that has only this button. */
export function buttonForm(
  visitor: Visitor,
  action: string,
  { label, tone = 'primary' }: { label: string; tone?: 'primary' | 'danger' | '' },
): Html {
  return html`<form method="post" action="${action}">${csrfField(visitor)}<button class="${tone}">${label}</button></form>`;
}
