import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

const password = 'A-good-password-1'

export const passwords: Attack = {
  name: 'passwords',
  about:
    'a thousand sign-ups and as many sign-ins at once, as if from many addresses, beside a sign-in',
  // All of it comes from one address here, which would be refused most of it for being so many.
  environment: { SIGNUP_LIMIT_PER_MINUTE: '0', SIGNIN_LIMIT_PER_MINUTE: '0' },
  run: async ({ newAttacker, send, isShort, say, fail }) => {
    const { email } = await newAttacker('waiting')
    const post = (path: string, body: object) =>
      send({
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { email: crowdEmail } = await newAttacker('crowd')
    const crowd = Array.from({ length: isShort ? 20 : 1_000 }, (_, index) => [
      post('/api/auth/signup', { email: `crowd${index}@example.com`, password }),
      post('/api/auth/signin', { email: crowdEmail, password }),
    ])
    const startedMs = performance.now()
    let tries = 0
    let status = 0
    // A place in the queue is to be had sooner or later, however many want one.
    while (status !== 200 && tries < 100) {
      tries++
      status = await post('/api/auth/signin', { email, password })
      if (status !== 200) await pause(100)
    }
    const took = Math.round(performance.now() - startedMs)
    say(`a sign-in was answered ${status} at try ${tries}, after ${took} ms`)
    if (status !== 200) fail('nobody else could sign in')
    await Promise.all(crowd.flat())
  },
}
