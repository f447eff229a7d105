import Bowser from 'bowser'
import type { DeviceKind } from '#contract/account-security.ts'

const kinds: Record<string, DeviceKind> = { desktop: 'computer', mobile: 'phone', tablet: 'tablet' }

/**
 * What a session was opened from, in words, by what it says of itself: "Chrome 142 on Windows". Versions of systems are
 * left out, since browsers no longer tell the true ones.
 */
export function describeDevice(userAgent: string): { device: string; deviceKind: DeviceKind } {
  const { device, deviceKind } = readDevice(userAgent)
  return { device, deviceKind }
}

/** The browser without its version: "Chrome". A program is its product's name. */
export const describeBrowser = (userAgent: string): string => readDevice(userAgent).browser

function readDevice(userAgent: string): { device: string; deviceKind: DeviceKind; browser: string } {
  if (userAgent.trim() === '') return { device: 'Unknown device', deviceKind: 'unknown', browser: 'Unknown device' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const deviceKind = kinds[platform.type ?? '']
  // A program names itself first: "curl/8.5.0".
  if (!deviceKind || !browser.name) {
    const product = readProduct(userAgent)
    return { device: product, deviceKind: 'program', browser: product.split(' ')[0]! }
  }
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  return { device: os.name ? `${name} on ${os.name}` : name, deviceKind, browser: browser.name }
}

const readProduct = (userAgent: string) => {
  const [product = ''] = userAgent.trim().split(/\s/)
  return product.replace('/', ' ').slice(0, 60)
}
