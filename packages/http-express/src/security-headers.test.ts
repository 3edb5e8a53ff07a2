import { expect, test } from 'vitest'
import { consentHeaders } from './security-headers.ts'

test('[HTTP-303] lets the form of a question go to any place that an app has, and to nothing that its host says beside', () => {
  for (const [place, destination] of [
    ['https://room.example.com/back', 'https://room.example.com'],
    ['https://Room.example.com:8443/back', 'https://room.example.com:8443'],
    ['http://127.0.0.1:3000/back', 'http://127.0.0.1:3000'],
    ['https://例え.jp/back', 'https://xn--r8jz45g.jp'],
    ['http://[::1]:3000/back', 'http:'],
    ['https://a;sandbox/back', 'https:'],
    ["https://a,'unsafe-inline'/back", 'https:'],
    ['https://*.example/back', 'https:'],
    ['https://a_b.example/back', 'https:'],
    ['https://room.example.com./back', 'https:'],
  ] as const) {
    const { 'Content-Security-Policy': policy } = consentHeaders(true, place)
    const form = `form-action 'self' ${destination}`
    expect([place, policy]).toEqual([
      place,
      `default-src 'none';frame-ancestors 'none';base-uri 'none';${form}`,
    ])
  }
})
