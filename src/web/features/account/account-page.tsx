import { useQueryClient } from '@tanstack/react-query'
import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import { settings } from '#web/lib/settings.ts'
import { AccountSection } from './account-section.tsx'
import { AlertsOfAccount } from './alerts.tsx'
import { Factors } from './factors.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Provider } from './provider.tsx'
import { readAccount } from './queries.ts'
import { Sessions } from './sessions.tsx'

/** The signed-in admin's own account (product 5.15). */
export default function AccountPage() {
  const account = readAccount(useQueryClient())
  if (!account) return null
  const { admin, signInWays } = account
  return (
    <div className="gutter max-w-300 py-6 max-md:py-4">
      <AccountSection title="Profile" description="Who you are in this console and in its log of admin actions.">
        <Profile admin={admin} />
      </AccountSection>
      {settings.provider && (
        <AccountSection title="Single sign-on" description="Sign in with the account of your organisation.">
          <Provider provider={settings.provider} isLinked={signInWays.includes('provider')} />
        </AccountSection>
      )}
      {signInWays.includes('password') && (
        <AccountSection
          title="Password"
          description="A new password signs out every other browser. This one stays signed in."
        >
          <Password username={admin.username} />
        </AccountSection>
      )}
      <Factors />
      <AlertsOfAccount />
      <AccountSection
        title="Sessions"
        description={`Where you are signed in. A session ends after ${idleMinutes} minutes without use, and after ${absoluteHours} hours in all.`}
      >
        <Sessions />
      </AccountSection>
    </div>
  )
}
