/** The table of notes. */
export const notesTable = `
CREATE TABLE note (
  note_seq     INTEGER PRIMARY KEY,
  operator_seq INTEGER NOT NULL REFERENCES operator (operator_seq),
  text         TEXT NOT NULL,
  at           TEXT NOT NULL
) STRICT;
`;
