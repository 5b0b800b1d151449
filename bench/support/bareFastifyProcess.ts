import Fastify from 'fastify';

const app = Fastify({ bodyLimit: 1 << 20 });
app.post('/api/cli/api-calls', (_request, reply) => {
  reply.code(202).send({ success: true });
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(url);
