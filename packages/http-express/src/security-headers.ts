import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** Header names and values, as Node takes them. */
export type Headers = Readonly<Record<string, string | string[]>>

type Directives = Readonly<Record<string, readonly string[]>>

/** For answers that are data: a browser that shows one as a page must run and load nothing. */
const apiPolicy: Directives = {
  defaultSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
}

/** For the docs page: its own scripts and styles, and the operations themselves. */
const docsPolicy: Directives = {
  ...apiPolicy,
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
}

/** The headers of every answer of the API: `no-store`, because every answer is for one caller only. */
export function apiHeaders(isHttps: boolean): Headers {
  return { ...headersOf(apiPolicy, isHttps), 'Cache-Control': 'no-store' }
}

/**
 * The headers of the page that asks whether an app may act for somebody. Its form goes to the service, which sends the
 * browser on to the app: browsers ask the policy about both. And they say of no form where it came from unless they may.
 */
export function consentHeaders(isHttps: boolean, redirectUri: string): Headers {
  const { protocol, origin } = new URL(redirectUri)
  const destination = namedOrigin.test(origin) ? origin : protocol
  const policy = { ...apiPolicy, formAction: ["'self'", destination] }
  return {
    ...headersOf(policy, isHttps),
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'same-origin',
  }
}

/** A policy has no words for other origins: those of addresses in brackets, and of hosts with other characters, which places that were registered long ago may have. */
const namedOrigin = /^https?:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?$/

/** For the front page: its one script, which calls operations. */
const frontPolicy: Directives = {
  ...apiPolicy,
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
}

/** The headers of the front page and its script. */
export function frontHeaders(isHttps: boolean): Headers {
  return { ...headersOf(frontPolicy, isHttps), 'Cache-Control': 'no-cache' }
}

/** For the pages of plugins that ship with the product: their own scripts and styles, and the operations. */
const pluginPolicy: Directives = {
  ...apiPolicy,
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
}

/** The headers of those pages and their files, which pages of the service and of the other origins may frame. */
export function pluginHeaders(isHttps: boolean, framingOrigins: readonly string[]): Headers {
  const policy = { ...pluginPolicy, frameAncestors: ["'self'", ...framingOrigins] }
  const { 'X-Frame-Options': _, ...headers } = headersOf(policy, isHttps)
  return {
    ...headers,
    'Cache-Control': 'no-cache',
    // The older header can't name other origins: it is left out where the policy has some.
    ...(framingOrigins.length === 0 && { 'X-Frame-Options': 'SAMEORIGIN' }),
  }
}

/** The headers of the docs page and its files. */
export function docsHeaders(isHttps: boolean): Headers {
  return headersOf(docsPolicy, isHttps)
}

/** Helmet's headers don't depend on the request: they are made once. */
function headersOf(directives: Directives, isHttps: boolean): Headers {
  const headers: Record<string, string> = {}
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: directives as Record<string, string[]>,
    },
    strictTransportSecurity: isHttps,
    xPoweredBy: false,
    // For browsers of another age, which the policy says more to:
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xFrameOptions: { action: 'deny' },
  })
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name] = value
    },
  }
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return headers
}
