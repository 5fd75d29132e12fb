/** What enrollment and agents' signatures can be refused for. */
export const agentsErrors = {
  invalid_proof: { status: 401, message: "The signature was not made over that by the agent's key." },
  agent_not_enrolled: { status: 403, message: 'The agent has not completed enrollment.' },
  challenge_not_found: { status: 404, message: 'There is no challenge that waits for this proof.' },
  nonce_reused: { status: 409, message: 'The agent authorized something by this nonce before.' },
  challenge_expired: { status: 410, message: 'The challenge was not met in its time; ask for another.' },
} as const;
