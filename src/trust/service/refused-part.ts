import { asFailure, type Failure } from '../../platform/failure.ts';
import { commonErrors } from '../http/errors.ts';

/**
 * Opens a part of the service for commands. If it cannot be opened, such as signing keys that are missing or
 * a log that must not be continued, operations without it still work: the others get the reason as an error.
 */
export async function orRefused<Part extends object>(open: () => Promise<Part>): Promise<Part> {
  try {
    return await open();
  } catch (error) {
    return refusedPart(asFailure(error));
  }
}

function refusedPart<Part extends object>({ message, hint }: Failure): Part {
  const nothing: Part = Object.create(null);
  return new Proxy(nothing, {
    get(_, name) {
      // What an async function returns is asked whether it is a promise.
      if (name === 'then') return undefined;
      throw commonErrors.invalid_state({
        message: [message, hint].flatMap((text) => (text === null ? [] : [sentence(text)])).join(' '),
      });
    },
  });
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
