import { hostname } from 'node:os';
import { turnTracingOn } from '../tracing/spans.ts';
import { VERSION } from './version.ts';

/** Where spans go: the base address of a collector that speaks OTLP over HTTP, such as http://localhost:4318. */
export type TracingOptions = Readonly<{ endpoint: string; onError: (message: string) => void }>;

/**
 * Exports spans until the returned function is called. OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS and
 * OTEL_TRACES_SAMPLER have their standard meaning. A collector that does not answer costs spans, never requests.
 */
export const startTracing = async ({ endpoint, onError }: TracingOptions): Promise<() => Promise<void>> => {
  // Loaded only where traces are wanted, because the packages take longer to load than the rest of the start.
  const [{ DiagLogLevel, diag }, { OTLPTraceExporter }, { BatchSpanProcessor, NodeTracerProvider }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/resources'),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const ignore = (): void => undefined;
  diag.setLogger({ error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const product = resourceFromAttributes({
    'service.name': 'latchkey',
    'service.version': VERSION,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(product)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  turnTracingOn();
  return () => provider.shutdown();
};
