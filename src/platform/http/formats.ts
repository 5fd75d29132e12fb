import { FormatRegistry } from '@sinclair/typebox';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';

// A format that nobody registered refuses every value, so every schema needs them: `schema.ts`
// imports this module. The framework's date-time accepts "1/2/2027". This service accepts only RFC 3339.
FormatRegistry.Set('date-time', (text) => parseTimestamp(text) !== null);
FormatRegistry.Set('date', (text) => text.length === 10 && parseTimestamp(`${text}T00:00:00Z`) !== null);
