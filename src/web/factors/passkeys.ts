import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#contract/schemas/passkeys.ts'

/** Asks the browser for a new passkey. Throws what `describePasskeyFailure` puts into words. */
export async function createPasskey(optionsJSON: PasskeyCreationOptions): Promise<PasskeyCreation> {
  const made = await startRegistration({ optionsJSON })
  return { ...made, clientExtensionResults: {} }
}

/** Asks the browser for one of the admin's passkeys. Throws what `describePasskeyFailure` puts into words. */
export async function askForPasskey(optionsJSON: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const given = await startAuthentication({ optionsJSON })
  return { ...given, clientExtensionResults: {} }
}

/** By the names of https://www.w3.org/TR/webauthn-3/. */
const failures: Partial<Record<string, string>> = {
  NotAllowedError: 'The passkey was not used: it was cancelled, or it took too long. Try again.',
  AbortError: 'The passkey was not used: it was cancelled. Try again.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'Passkeys can’t be used at this address.',
  NotSupportedError: 'This device can’t make a passkey that is accepted here.',
}

/** What went wrong between the operator, the browser and the device. Null: something else did. */
export function describePasskeyFailure(error: unknown): string | null {
  if (!browserSupportsWebAuthn()) return 'This browser has no passkeys.'
  return error instanceof Error ? (failures[error.name] ?? null) : null
}
