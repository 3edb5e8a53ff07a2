import { expect, test } from 'vitest'
import { isFromOtherSite } from './same-site.ts'

const host = 'work.example:8080'

test('[HTTP-13] lets pages of its own through, and programs that are no browsers', () => {
  for (const headers of [
    {},
    { origin: 'http://work.example:8080' },
    { origin: 'https://work.example:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://public.example' },
    { referer: 'http://work.example:8080/docs?x=1' },
    { 'sec-fetch-site': 'none' },
  ]) {
    const all = { ...headers, host }
    expect([all, isFromOtherSite(all, 'public.example')]).toEqual([all, false])
  }
})

test('[HTTP-13] tells pages of other sites by each of the headers', () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://work.example:8080' },
    { origin: 'http://evil.example' },
    { origin: 'http://work.example' },
    { origin: 'http://work.example:8080.evil.example' },
    { origin: 'http://evil.example', referer: 'http://work.example:8080/' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'file://' },
    { referer: 'http://evil.example/http://work.example:8080/' },
    { referer: 'http://work.example:8080@evil.example/' },
    { referer: 'nonsense' },
  ]) {
    const all = { ...headers, host }
    expect([all, isFromOtherSite(all, 'public.example')]).toEqual([all, true])
  }
  expect(isFromOtherSite({ origin: 'http://work.example' }, undefined)).toBe(true)
})
