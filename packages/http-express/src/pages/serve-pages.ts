import type { ServerResponse } from 'node:http'
import { DomainError } from '@gateleg/domain/errors'
import express, {
  type ErrorRequestHandler,
  type Handler,
  type Request,
  type Response,
} from 'express'
import type { Exchange } from '../exchange/exchange.ts'
import { requireGet } from '../exchange/require-get.ts'
import { docsHeaders, frontHeaders, pluginHeaders } from '../security-headers.ts'
import { servePluginPages } from '../serve-plugin-pages.ts'
import { toPath } from '../to-public-url.ts'
import { answerFrontPage } from './front-page.ts'
import { frontPageScript } from './front-page-script.ts'
import type { OpenApiText } from './open-api-text.ts'
import { serveDocs } from './serve-docs.ts'

/** What is needed to serve what isn't an operation. */
interface PagesSettings {
  readonly openApi: OpenApiText
  /** Where browsers reach the service, where that isn't where it listens. */
  readonly publicUrl: string | undefined
  readonly isHttps: boolean
  /** Origins beside its own whose pages may frame those of plugins. */
  readonly framingOrigins: readonly string[]
  /** Answers with an error. */
  readonly fail: (exchange: Exchange, error: unknown) => void
}

/** Answers what browsers look at: the front page, `/openapi.json`, `/docs`, `/plugins`. Refuses other paths with `not_found`. */
export type Pages = (exchange: Exchange) => void

/** Serves pages with Express, which knows files, languages of browsers and where it is mounted. */
export function servePages(settings: PagesSettings): Pages {
  const { isHttps, framingOrigins, fail } = settings
  const answers = answersByPath(settings)
  const answerPage: Handler = (request, response, next) => {
    const { exchange } = response.locals
    const answer = answers.get(exchange.path)
    if (!answer) return next()
    exchange.route = exchange.path
    const answering = async () => {
      requireGet(exchange)
      await answer(exchange, request)
    }
    answering().catch((error: unknown) => fail(exchange, error))
  }
  const beginFile: Handler = (request, response, next) => {
    const exchange: Exchange = response.locals.exchange
    const folder = /^\/(docs|plugins)(?:$|\/)/.exec(exchange.path)?.[1]
    if (folder === undefined) {
      const mount = request.baseUrl || (settings.publicUrl ? toPath(settings.publicUrl) : '')
      const place = `operations are below ${mount}/api, and told of at ${mount}/docs`
      return next(new DomainError('not_found', `There is nothing at this path: ${place}`))
    }
    exchange.route = `/${folder}`
    response.setHeader('X-Request-Id', exchange.requestId)
    response.once('finish', () => exchange.log(response.statusCode))
    next()
  }
  const answerLeftover: Handler = (_request, response) => {
    fail(response.locals.exchange, new DomainError('not_found', 'There is nothing at this path'))
  }
  const answerFailure: ErrorRequestHandler = (error, _request, response, _next) => {
    fail(response.locals.exchange, error)
  }
  const plugins = servePluginPages(pluginHeaders(isHttps, framingOrigins))
  const files = [serveDocs(docsHeaders(isHttps)), plugins]
  const app = express().disable('x-powered-by')
  app.use(answerPage, beginFile, ...files, answerLeftover, answerFailure)
  return (exchange) => {
    const response: ServerResponse = Object.assign(exchange.response, { locals: { exchange } })
    // What Express adds to both, it adds now.
    app(exchange.request as Request, response as Response)
  }
}

type Answer = (exchange: Exchange, request: Request) => void | Promise<void>

function answersByPath({ openApi, publicUrl, isHttps }: PagesSettings): Map<string, Answer> {
  const headers = frontHeaders(isHttps)
  const script = { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }
  return new Map<string, Answer>([
    ['/', (exchange, request) => answerFrontPage(exchange, request, publicUrl, headers)],
    ['/front-page.js', (exchange) => exchange.answer(200, frontPageScript, script)],
    // Browsers ask for one with every page: there is none, and that is no error.
    ['/favicon.ico', (exchange) => exchange.answer(204, '', { 'Cache-Control': 'max-age=86400' })],
    ['/openapi.json', (exchange, request) => answerOpenApi(exchange, request, openApi)],
  ])
}

async function answerOpenApi(
  exchange: Exchange,
  request: Request,
  text: OpenApiText,
): Promise<void> {
  const accepted = request.acceptsEncodings('br', 'gzip', 'identity')
  const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity'
  const bytes = await text.get(encoding)
  exchange.answerBytes(200, bytes, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  })
}
