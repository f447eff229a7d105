import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import { lineQuery } from './queries.ts'
import type { useOpenLine } from './use-open-line.ts'

/** An account that has just been chosen shows none of another account's lines, which the address may still name. */
export function useOwnLineOnly(account: BankAccount | undefined, { openId, close }: ReturnType<typeof useOpenLine>) {
  const { data } = useQuery({ ...lineQuery(openId ?? ''), enabled: account !== undefined && openId !== undefined })
  const isForeign =
    account !== undefined && data !== undefined && data.line.id === openId && data.line.accountId !== account.id
  useEffect(() => {
    if (isForeign) close()
  }, [isForeign, close])
}
