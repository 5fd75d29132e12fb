/** What enrollment and agents' signatures can be refused for. */
export const agentsErrors = {
  invalid_proof: {
    status: 401,
    message: "The signature was not made over that by the agent's key.",
    remedy: 'Sign exactly what the operation describes, with the key that the agent enrolled.',
  },
  agent_not_enrolled: {
    status: 403,
    message: 'The agent has not completed enrollment.',
    remedy: 'Enroll the agent first; an agent that was revoked cannot act again.',
  },
  challenge_not_found: {
    status: 404,
    message: 'There is no challenge that waits for this proof.',
    remedy: 'Ask for a new challenge and sign its nonce.',
  },
  nonce_reused: {
    status: 409,
    message: 'The agent authorized something by this nonce before.',
    remedy: 'Sign the call again with a new nonce.',
  },
  challenge_expired: { status: 410, message: 'The challenge was not met in its time; ask for another.' },
} as const;
