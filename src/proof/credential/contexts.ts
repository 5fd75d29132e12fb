/** The context of every credential (W3C VC Data Model 2.0 section 4.3). */
export const CREDENTIALS_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

/**
 * The path of the context of credentials about reputations, below the URL of their service. It never changes.
 */
export const REPUTATION_CONTEXT_PATH = '/contexts/reputation/v2';

/** The context of such credentials of earlier versions, which stay valid. */
export const REPUTATION_CONTEXT_V1_PATH = '/contexts/reputation/v1';

/** The path of the context of credentials about clusters of a data center. It never changes. */
export const SUSTAINABILITY_CONTEXT_PATH = '/contexts/sustainability/v2';

/** The context of such credentials of earlier versions, which stay valid. */
export const SUSTAINABILITY_CONTEXT_V1_PATH = '/contexts/sustainability/v1';

/** The path of status lists, below the URL of their service; the number of a list follows. */
export const STATUS_LIST_PATH = '/api/v1/credentials/status/';

export const REPUTATION_TYPE = 'AgentReputationCredential';
export const SUSTAINABILITY_TYPE = 'DataCenterSustainabilityCredential';
