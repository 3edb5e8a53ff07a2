import express from 'express'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callerAddress, type TrustProxy } from './caller-address.ts'

/** As an app decides it whose proxies are these. */
function trustIn(...proxies: string[]): TrustProxy {
  return express().set('trust proxy', proxies).get('trust proxy fn')
}

const proxy = '10.0.0.1'
const caller = '203.0.113.7'

test('[HTTP-14] takes the address of the socket where no proxy is trusted', () => {
  const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6' }
  expect(callerAddress(caller, headers, trustIn())).toBe(caller)
  expect(callerAddress(caller, headers, trustIn(proxy))).toBe(caller)
  expect(callerAddress(undefined, headers, trustIn(proxy))).toBeUndefined()
})

test('[HTTP-14] takes what a trusted proxy added, whatever the caller wrote before it', () => {
  const trusts = trustIn(proxy, '10.1.0.0/16', '2001:db8::/32')
  const by = (listed: string, socket = proxy) =>
    callerAddress(socket, { 'x-forwarded-for': listed }, trusts)
  expect(by(caller)).toBe(caller)
  expect(by(`6.6.6.6, ${caller}`)).toBe(caller)
  expect(by(`${proxy}, 6.6.6.6,${caller}`)).toBe(caller)
  expect(by(`6.6.6.6, ${caller}, 10.1.2.3`)).toBe(caller)
  expect(by(`6.6.6.6, ${caller}, 2001:db8::5`)).toBe(caller)
  expect(by(caller, `::ffff:${proxy}`)).toBe(caller)
  expect(by(`${caller}:443`)).toBe(caller)
  expect(by('[2a00::1]:443')).toBe('2a00::1')
  expect(by('2a00::1')).toBe('2a00::1')
})

test('[HTTP-14] counts calls as those of the proxy where it names no address', () => {
  const trusts = trustIn(proxy)
  for (const listed of ['', 'unknown', '_hidden', '6.6.6.6, nonsense', '6.6.6.6,', '[', '1.2.3']) {
    expect(callerAddress(proxy, { 'x-forwarded-for': listed }, trusts)).toBe(proxy)
    expect(callerAddress(proxy, { forwarded: listed }, trusts)).toBe(proxy)
  }
})

test('[HTTP-14] reads Forwarded where X-Forwarded-For is not there', () => {
  const trusts = trustIn(proxy, '10.1.0.0/16')
  const by = (forwarded: string) => callerAddress(proxy, { forwarded }, trusts)
  expect(by(`for=${caller}`)).toBe(caller)
  expect(by(`for=6.6.6.6;proto=http, For="${caller}:80";proto=https`)).toBe(caller)
  expect(by('for="[2a00::1]:80"')).toBe('2a00::1')
  expect(by(`for=6.6.6.6, for=${caller}, proto=https;for=10.1.0.9`)).toBe(caller)
  expect(by(`for=", for=${caller}`)).toBe(caller)
  const both = { forwarded: 'for=6.6.6.6', 'x-forwarded-for': caller }
  expect(callerAddress(proxy, both, trusts)).toBe(caller)
})

test('[HTTP-14] whatever a caller writes, the address is always what the trusted proxy added', () => {
  const written = fc.string({ unit: fc.constantFrom(...'0123456789.,:;="[] forx') })
  fc.assert(
    fc.property(written, (text) => {
      const trusts = trustIn(proxy)
      const listed = { 'x-forwarded-for': `${text}, ${caller}` }
      expect(callerAddress(proxy, listed, trusts)).toBe(caller)
      expect(callerAddress(proxy, { forwarded: `${text}, for=${caller}` }, trusts)).toBe(caller)
    }),
  )
})
