// What a program needs that calls a server, in a browser too.
export { type ClientOptions, createClient } from '@gateleg/contract'
export { type Api, DomainError, type ErrorCode } from '@gateleg/domain'
