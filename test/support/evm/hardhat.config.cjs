// A chain for tests. No compiler is configured: Hardhat would download it.
module.exports = {
  solidity: { compilers: [] },
  networks: { hardhat: { chainId: 31337, accounts: { count: 3 }, loggingEnabled: false } },
};
