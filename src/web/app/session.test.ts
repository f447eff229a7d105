// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { shownToast, toast } from '#web/ui/toast.ts'
import { completeSignIn } from './session.ts'

test('the failure of an earlier try is gone once somebody has signed in', () => {
  toast({ tone: 'destructive', title: 'Login failed', description: 'Invalid credentials' })
  completeSignIn(new QueryClient(), { id: '1', username: 'ada', createdAt: '', lastSignInAt: null })
  expect(shownToast.get()).toBeNull()
})
