import { parseDecimal } from '#server/lib/decimal.ts'
import { existingDay, given, quote } from './text.ts'

/** An element of the part of a file that is being read. */
export interface XmlNode {
  name: string
  text: string
  /** The line of the file in which it begins. */
  line: number
  /** The attribute `Ccy` of an amount, else the currency of the account; empty where neither is known yet. */
  currency: string
  children: XmlNode[]
}

export interface Money {
  amount: string
  currency: string
}

export function childAt(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

export const childrenAt = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

/** The first of the paths that has a text. */
export function textAt(node: XmlNode | undefined, ...paths: string[]): string | null {
  for (const path of paths) {
    const found = given(childAt(node, ...path.split('/'))?.text)
    if (found) return found
  }
  return null
}

export const isTrueAt = (node: XmlNode, name: string) => ['true', '1'].includes(textAt(node, name) ?? '')

/** The day of a date or an instant, as the bank's clock had it. What is no day gives a warning. */
export function dayAt(node: XmlNode, name: string, warnings: string[] = []): string | null {
  const written = textAt(node, `${name}/Dt`, `${name}/DtTm`)
  if (!written) return null
  const day = existingDay(written.slice(0, 10))
  if (!day) warnings.push(`${quote(written)} is no date`)
  return day
}

/** An amount and its currency; undefined where the text is no amount. */
export function moneyOf(node: XmlNode | undefined): Money | undefined {
  if (!node) return undefined
  const amount = parseDecimal(node.text)
  return amount === undefined ? undefined : { amount, currency: node.currency }
}

export const noAmount = ({ line, text }: XmlNode) => `line ${line}: ${quote(text)} is no amount`
