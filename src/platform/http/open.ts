import { Elysia } from 'elysia';

/**
 * The macro of public endpoints: any page may read their answers (CORS), since there is nothing in them that the
 * reader's own credentials would have to open. Keyed endpoints say nothing, so browsers keep other origins out.
 */
export const open = new Elysia({ name: 'open' }).macro({
  open: {
    transform: ({ set }) => {
      set.headers['access-control-allow-origin'] = '*';
      set.headers['cross-origin-resource-policy'] = 'cross-origin';
    },
  },
});
