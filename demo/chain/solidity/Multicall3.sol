// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The calls of Multicall3 that the console makes, for a local chain that has none. Public chains have the original.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 index);

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 n = 0; n < calls.length; n++) {
            (bool success, bytes memory returnData) = calls[n].target.call(calls[n].callData);
            if (!success && !calls[n].allowFailure) revert CallFailed(n);
            results[n] = Result(success, returnData);
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}
