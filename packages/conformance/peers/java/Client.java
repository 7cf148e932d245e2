// Java's own HTTP client talks to a server of Adorn and to an A2A agent. By default it offers HTTP/2 with every plain request, by
// `Upgrade: h2c`, which a server may leave alone. Prints a line per request: its name, the status, and the body in Base64.
//   java Client.java SERVER A2A
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

class Client {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws Exception {
    String server = args[0];
    String a2a = args[1];
    String run = "{\"appName\":\"desk\",\"userId\":\"ada\",\"sessionId\":\"s1\",\"newMessage\":{\"role\":\"user\","
        + "\"parts\":[{\"text\":\"Where is A?\"}]}";
    ask("apps", server + "/list-apps", null);
    ask("created", server + "/apps/desk/users/ada/sessions/s1", "{\"state\":{\"city\":\"Oslo\"}}");
    ask("whole", server + "/run", run + "}");
    ask("streamed", server + "/run_sse", run + ",\"streaming\":true}");
    ask("missing", server + "/run", run.replace("s1", "nowhere") + "}");
    ask("session", server + "/apps/desk/users/ada/sessions/s1", null);
    ask("card", a2a + "/.well-known/agent-card.json", null);
    ask("sent", a2a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":\"message\","
        + "\"role\":\"user\",\"messageId\":\"m1\",\"parts\":[{\"kind\":\"text\",\"text\":\"Hi.\"}]}}}");
  }

  /** GET, or POST with a body. */
  static void ask(String name, String url, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20));
    if (body != null) request.header("content-type", "application/json").POST(BodyPublishers.ofString(body));
    var response = CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    String encoded = Base64.getEncoder().encodeToString(response.body().getBytes(StandardCharsets.UTF_8));
    System.out.println(name + " " + response.statusCode() + " " + encoded);
  }
}
