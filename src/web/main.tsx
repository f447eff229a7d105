import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { queryClient } from './app/query-client.ts'
import { sessionQuery } from './app/session.ts'
import { watchOperatorInput } from './lib/operator-input.ts'

// Radix locks scrolling with a style element. The content security policy requires our nonce on it.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
if (nonce) setNonce(nonce)

watchOperatorInput()

// Sent before the first render, since everything on the screen depends on it.
void queryClient.prefetchQuery(sessionQuery)

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
