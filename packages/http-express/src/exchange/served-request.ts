import type { IncomingMessage } from 'node:http'

/** A request as Node has it, with what a program that mounts the app may have added. */
export interface ServedRequest extends IncomingMessage {
  /** The path at which Express mounts the app; not there where nothing mounts it. */
  readonly baseUrl?: string
  /** The app in which Express mounts this one. */
  readonly app?: { get(setting: string): unknown }
  /** What an earlier handler has made of the body. */
  readonly body?: unknown
}
