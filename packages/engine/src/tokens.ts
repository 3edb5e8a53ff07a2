import type { Call, Trace } from '@gateleg/domain/call'
import type { PortName, Ports } from '@gateleg/domain/ports'
import type { ServiceIdentifier } from 'inversify'

/** The token under which a port is bound: bind another implementation to replace it. */
export function portToken<Name extends PortName>(name: Name): ServiceIdentifier<Ports[Name]> {
  return Symbol.for(`gateleg.port.${name}`) as ServiceIdentifier<Ports[Name]>
}

/** The token under which a use case is bound, made callable. */
export function callToken(useCaseName: string): ServiceIdentifier<Call> {
  return Symbol.for(`gateleg.call.${useCaseName}`) as ServiceIdentifier<Call>
}

/** The token of what wraps every call. */
export const traceToken = Symbol.for('gateleg.trace') as ServiceIdentifier<Trace>
