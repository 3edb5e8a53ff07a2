import { expect, test } from 'vitest'
import { isFromOtherSite, isLedByOthers } from './same-site.ts'

const host = 'work.example:8080'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('[HTTP-13] lets pages of its own through, and programs that are no browsers', () => {
  for (const headers of [
    {},
    { origin: 'http://work.example:8080' },
    { origin: 'https://work.example:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://public.example' },
    { referer: 'http://work.example:8080/docs?x=1' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site', origin: 'https://public.example' },
    // Of a proxy that doesn't pass the host on, the page's origin is another one.
    { 'sec-fetch-site': 'same-origin', origin: 'http://outside.example' },
    { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    { 'user-agent': browser, referer: 'http://work.example:8080/' },
    { 'user-agent': browser, 'sec-fetch-site': 'none' },
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
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://work.example:9090' },
    { 'sec-fetch-site': 'same-origin, none' },
  ]) {
    const all = { ...headers, host }
    expect([all, isFromOtherSite(all, 'public.example')]).toEqual([all, true])
  }
  expect(isFromOtherSite({ origin: 'http://work.example' }, undefined)).toBe(true)
})

test('[HTTP-13] takes a browser that names no page for one of another site', () => {
  for (const headers of [{ 'user-agent': browser }, { accept: 'text/html,*/*;q=0.8' }]) {
    expect([headers, isFromOtherSite({ ...headers, host }, undefined)]).toEqual([headers, true])
  }
})

test('[HTTP-300] tells what others may have led a browser to by where it says that it comes from', () => {
  const path = '/api/auth/oidc/lgp1/start'
  const isLed = (headers: object) => isLedByOthers({ ...headers, host }, 'public.example', path)
  const own = { 'sec-fetch-site': 'same-origin', 'user-agent': browser }
  for (const headers of [
    {},
    { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    { ...own, referer: 'http://work.example:8080/login' },
    { ...own, referer: `http://work.example:8080${path}?redirect=%2F` },
    { ...own, referer: `https://public.example/below/a/mount${path}` },
    { 'user-agent': browser, referer: 'http://work.example:8080/login' },
  ]) {
    expect([headers, isLed(headers)]).toEqual([headers, false])
  }
  for (const headers of [
    own,
    { 'user-agent': browser },
    { 'user-agent': browser, 'sec-fetch-site': 'none' },
    { 'user-agent': browser, origin: 'http://work.example:8080' },
    { 'user-agent': browser, referer: 'http://evil.example/login' },
    { ...own, referer: 'nonsense' },
    { ...own, referer: 'http://work.example:8080/api/oauth/decision/oauth.1' },
    { ...own, referer: 'http://work.example:8080/api/auth/oidc/lgp2/start' },
    { ...own, referer: 'http://work.example:8080/api/auth/oidc/lgp1/callback' },
    { ...own, 'sec-fetch-site': 'cross-site', referer: 'http://work.example:8080/login' },
  ]) {
    expect([headers, isLed(headers)]).toEqual([headers, true])
  }
})
