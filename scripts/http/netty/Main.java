// Servers and clients on Netty for record-http.sh: `Main netty|reactor PORT` serves on the loopback until it is ended,
// `Main reactor-client URL` asks twice.

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.CharsetUtil;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

public final class Main {
    private static final String TEXT = "hello\n";

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "netty" -> serveNetty(Integer.parseInt(arguments[1]));
            case "reactor" -> serveReactor(Integer.parseInt(arguments[1]));
            case "reactor-client" -> askWithReactor(arguments[1]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Netty writes the fields that a program sets, in their order; this one sets what all do, under Netty's names. */
    private static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            var status = request.uri().equals("/") ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND;
            var body = Unpooled.copiedBuffer(TEXT, CharsetUtil.UTF_8);
            var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            var isKept = HttpUtil.isKeepAlive(request);
            HttpUtil.setKeepAlive(response, isKept);
            var written = context.writeAndFlush(response);
            if (!isKept) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    private static void serveNetty(int port) throws Exception {
        var initializer = new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(65536), new Answers());
            }
        };
        new ServerBootstrap()
            .group(new NioEventLoopGroup(1))
            .channel(NioServerSocketChannel.class)
            .childHandler(initializer)
            .bind("127.0.0.1", port)
            .sync()
            .channel()
            .closeFuture()
            .sync();
    }

    private static void serveReactor(int port) {
        HttpServer.create()
            .host("127.0.0.1")
            .port(port)
            .route(routes -> routes
                .get("/", (request, response) -> response.sendString(Mono.just(TEXT)))
                .get("/r", (request, response) -> response.sendRedirect("/")))
            .bindNow()
            .onDispose()
            .block();
    }

    private static void askWithReactor(String url) {
        var client = HttpClient.create();
        client.get().uri(url).responseContent().aggregate().asString().block();
        var posted = client.post().uri(url).send(ByteBufFlux.fromString(Mono.just(TEXT)));
        posted.response().block();
    }
}
