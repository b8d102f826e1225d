"""What is published: the packages of the application and the engine, and the documentation site."""
