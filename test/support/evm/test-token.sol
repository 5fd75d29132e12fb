// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC-20 token for tests. Everybody may mint, and set how transfers behave.
contract TestToken {
    string public constant name = "Test Dollar";
    string public constant symbol = "TUSD";
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    enum Behavior { Pays, Reverts, ReturnsFalse, ReturnsNothing, TakesFee }
    Behavior public behavior;
    mapping(address => bool) public isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 places) {
        decimals = places;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function behave(Behavior next) external {
        behavior = next;
    }

    function blockAddress(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(behavior != Behavior.Reverts, "transfers are paused");
        require(!isBlocked[to], "the address is blocked");
        if (behavior == Behavior.ReturnsFalse) return false;
        move(msg.sender, to, value);
        if (behavior == Behavior.ReturnsNothing) {
            assembly {
                return(0, 0)
            }
        }
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "the allowance is too small");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "the balance is too small");
        uint256 received = behavior == Behavior.TakesFee ? value - value / 100 : value;
        balanceOf[from] -= value;
        balanceOf[to] += received;
        totalSupply -= value - received;
        emit Transfer(from, to, received);
    }
}
