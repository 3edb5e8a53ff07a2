import type { Attack } from '../attack.ts'

export const passwords: Attack = {
  name: 'passwords',
  about: 'a thousand sign-ups at once, each with a password to be hashed, beside a sign-in',
  run: async ({ newAttacker, send, isShort, say }) => {
    const { email } = await newAttacker('waiting')
    const post = (path: string, body: object) =>
      send({
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const password = 'A-good-password-1'
    const signUps = Array.from({ length: isShort ? 20 : 1_000 }, (_, index) =>
      post('/api/auth/signup', { email: `crowd${index}@example.com`, password }),
    )
    const startedMs = performance.now()
    await post('/api/auth/signin', { email, password })
    say(`a sign-in took ${Math.round(performance.now() - startedMs)} ms`)
    await Promise.all(signUps)
  },
}
