// What a program needs that calls a server; in a browser, a page of the same origin.
export { type ClientOptions, createClient } from '@gateleg/contract'
export { type Api, DomainError, type ErrorCode } from '@gateleg/domain'
